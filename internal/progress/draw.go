package progress

import (
	"fmt"
	"io"
	"time"

	"example.com/kneeline/internal/term"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// onlyIfKnown draws the bar only in phases whose end is known.
func (l *Live) onlyIfKnown(bar mpb.BarFiller) mpb.BarFiller {
	return mpb.BarFillerFunc(func(w io.Writer, stat decor.Statistics) error {
		if l.now.Load().total <= 0 {
			return nil
		}
		return bar.Fill(w, stat)
	})
}

// head is what stands before the bar.
func (l *Live) head(decor.Statistics) string { return l.now.Load().name }

// tail is what stands after the bar: the share done and the time left, or the
// time spent when the end is not known.
func (l *Live) tail(decor.Statistics) string {
	s := l.now.Load()
	if s.total <= 0 {
		return seconds(s.elapsed)
	}
	left := max(s.total-s.elapsed, 0)
	done := min(int(100*float64(s.elapsed)/float64(s.total)), 100)
	return fmt.Sprintf("%3d %%  %s left", done, seconds(left))
}

func seconds(d time.Duration) string { return d.Round(time.Second).String() }

// statusLine writes the line under the bar. It is written even when it is
// empty, so that the display does not jump.
func (l *Live) statusLine(w io.Writer, stat decor.Statistics) error {
	_, err := fmt.Fprintln(w, term.Truncate("  "+l.now.Load().status, max(stat.AvailableWidth-1, 1)))
	return err
}
