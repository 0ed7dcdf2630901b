// Allocates, keeps some of it, and says how many collections the runtime reported.
const { PerformanceObserver } = require('perf_hooks');
let seen = 0;
const observer = new PerformanceObserver((list) => { seen += list.getEntries().length; });
observer.observe({ entryTypes: ['gc'] });
let kept = [];
const end = Date.now() + 1000;
function turn() {
  for (let i = 0; i < 2000; i++) {
    const some = { text: 'x' + i, more: new Array(20).fill(i) };
    if (i % 10 === 0) kept.push(some);
  }
  if (kept.length > 100000) kept = kept.slice(90000);
  if (Date.now() < end) setImmediate(turn);
  else setTimeout(() => process.stderr.write('observed ' + seen + '\n'), 100);
}
turn();
