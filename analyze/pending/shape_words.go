package pending

import (
	"strings"
	"unicode"
)

// wordsOf cuts the last part of a class or field name into words in lower case.
func wordsOf(name string) []string {
	name = name[strings.LastIndexAny(name, ".#")+1:]
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

func hasWord(name string, set map[string]bool) bool {
	for _, w := range wordsOf(name) {
		if set[w] || set[strings.TrimSuffix(w, "s")] {
			return true
		}
	}
	return false
}

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// The words by which names tell what they are of. They decide nothing alone.
var (
	// workWords name what somebody waits for to be done.
	workWords = wordSet("request req call exchange task job invocation runnable callable command rpc work")
	// queueWords name what work waits in.
	queueWords = wordSet("queue pending backlog waiting waiter inflight request job task mailbox inbox work todo line " +
		"outstanding dispatcher executor scheduler worker acceptor")
	// storeWords name what keeps things for another reason than to do them.
	storeWords = wordSet("map cache table set dictionary registry pool trie index history recent log audit metric metrics statistics stats " +
		"sample trace free recycler recycle store repository archive journal memo lru interner snapshot window histogram idle available spare unused")
	// slotWords name the elements of hash tables and trees.
	slotWords = wordSet("node entry bucket segment cell slot")

	headWords     = wordSet("head take first front read reader consumer begin start next out poll get remove oldest from takeindex")
	tailWords     = wordSet("tail put last back rear write writer producer end in offer add insert newest to putindex")
	countWords    = wordSet("count size filled used length n num number elements entries pending queued")
	capacityWords = wordSet("capacity cap max maximum limit bound")
	nextWords     = wordSet("next succ successor link after following nxt")
	notNextWords  = wordSet("prev previous before parent left right up down pred predecessor child owner outer root top cause this")
	itemWords     = wordSet("item value element data payload task runnable job request call work message content object ref callable command action entry event")
)
