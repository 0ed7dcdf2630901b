for (const tree of document.querySelectorAll(".icicle")) {
  const boxes = Array.from(tree.querySelectorAll(".box"), (el) => ({
    el, left: parseFloat(el.style.left), width: parseFloat(el.style.width), top: parseInt(el.style.top, 10),
    text: el.title.split("\n")[0].toLowerCase(),
  }));
  const search = tree.querySelector("input"), out = tree.querySelector("output"), whole = tree.querySelector("button");
  const zoom = (to) => {
    whole.hidden = to === boxes[0];
    for (const b of boxes) {
      const inside = b.top >= to.top && b.left >= to.left - 1e-6 && b.left + b.width <= to.left + to.width + 1e-6;
      const above = b.top < to.top && b.left <= to.left + 1e-6 && b.left + b.width >= to.left + to.width - 1e-6;
      b.el.hidden = !inside && !above;
      b.el.style.left = (above ? 0 : (b.left - to.left) / to.width * 100) + "%";
      b.el.style.width = (above ? 100 : b.width / to.width * 100) + "%";
      b.el.classList.toggle("above", above);
    }
  };
  const find = () => {
    const want = search.value.trim().toLowerCase();
    let share = 0, count = 0;
    const counted = [];
    for (const b of boxes) {
      const hit = want !== "" && b.text.includes(want);
      b.el.classList.toggle("hit", hit);
      b.el.classList.toggle("miss", want !== "" && !hit);
      if (!hit) continue;
      count++;
      if (counted.some((c) => b.top > c.top && b.left >= c.left - 1e-6 && b.left + b.width <= c.left + c.width + 1e-6)) continue;
      counted.push(b);
      share += b.width;
    }
    out.textContent = want === "" ? "" : count === 0 ? "no match" : count + (count === 1 ? " match, " : " matches, ") + share.toPrecision(3) + " % of the whole";
  };
  for (const b of boxes) {
    b.el.tabIndex = 0;
    b.el.setAttribute("role", "button");
    b.el.addEventListener("click", () => zoom(b));
    b.el.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); zoom(b); } });
  }
  tree.addEventListener("keydown", (e) => { if (e.key === "Escape") zoom(boxes[0]); });
  whole.addEventListener("click", () => zoom(boxes[0]));
  search.addEventListener("input", find);
  tree.classList.add("live");
}
