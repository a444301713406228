"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const slider = byId("slider");
  const select = byId("viewer");
  const items = data.steps.map((step) => byId(String(step[0])));
  const last = data.steps.length - 1;
  let at = last;
  let viewer = 0;
  let timer = 0;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const spanned = (index) => {
    const line = document.createDocumentFragment();
    for (const [text, tone, name] of data.lines[index]) {
      if (!tone && !name) {
        line.append(text);
        continue;
      }
      const span = element("span", text, tone ? "t-" + tone : "");
      if (name) span.title = name;
      line.append(span);
    }
    line.append("\n");
    return line;
  };

  const drawBoard = () => {
    const board = byId("board");
    board.replaceChildren();
    for (const row of data.boards[data.views[viewer].boards[at]]) {
      const shown = element("div", "", "row");
      for (const index of row) {
        const [title, lines] = data.panels[index];
        const panel = element("section", "", "panel");
        if (title) panel.append(element("h3", title));
        if (lines.length) {
          const pre = element("pre");
          pre.tabIndex = 0;
          for (const line of lines) pre.append(spanned(line));
          panel.append(pre);
        }
        shown.append(panel);
      }
      board.append(shown);
    }
  };

  const texts = (index) => data.views[viewer].told[index].map((text) => data.texts[text]);

  const tell = () => {
    items.forEach((item, index) => { item.querySelector(".text").textContent = texts(index).join(" "); });
  };

  const go = (to, { scroll = true, link = true } = {}) => {
    at = Math.max(0, Math.min(last, to));
    const [seq, stands] = data.steps[at];
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", "event " + seq);
    byId("where").textContent = "event " + seq + " of " + data.steps[last][0] + (stands ? "" : " (undone)");
    byId("now").textContent = texts(at).join("\n");
    drawBoard();
    for (const item of items) item.removeAttribute("aria-current");
    items[at].setAttribute("aria-current", "step");
    if (scroll) {
      const list = byId("told");
      if (list.scrollHeight > list.clientHeight) {
        list.scrollTop += items[at].getBoundingClientRect().top - list.getBoundingClientRect().top
          - list.clientHeight / 3;
      }
    }
    if (link) history.replaceState(null, "", "#" + seq);
  };

  const seek = (sign, same) => {
    for (let to = at + sign; to >= 0 && to <= last; to += sign) {
      if (!same(data.steps[to], data.steps[at])) return go(to);
    }
    return go(sign > 0 ? last : 0);
  };
  const turn = (sign) => seek(sign, (one, other) => one[2] === other[2]);
  const round = (sign) => seek(sign, (one, other) => one[3] === other[3]);

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    byId("play").textContent = "Play";
  };
  const play = () => {
    if (timer) return stop();
    if (at === last) go(0);
    byId("play").textContent = "Pause";
    timer = setInterval(() => (at === last ? stop() : go(at + 1)), Number(byId("speed").value));
  };

  const fromHash = () => {
    const seq = Number(decodeURIComponent(location.hash.slice(1)));
    const found = data.steps.findIndex((step) => step[0] === seq);
    return found < 0 ? null : found;
  };

  for (const [index, view] of data.views.entries()) {
    const option = element("option", view.name);
    option.value = String(index);
    select.append(option);
  }
  select.hidden = data.views.length < 2;
  select.addEventListener("change", () => {
    viewer = Number(select.value);
    tell();
    go(at, { scroll: false });
  });
  slider.max = String(last);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const acts = {
    first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(last),
    "turn-back": () => turn(-1), "turn-next": () => turn(1), "round-back": () => round(-1), "round-next": () => round(1),
    play,
  };
  for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
  byId("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
  items.forEach((item, index) => item.addEventListener("click", (event) => {
    if (event.target.closest("a")) event.preventDefault();
    if (!String(getSelection())) go(index, { scroll: false });
  }));
  const keys = {
    ArrowRight: acts.next, ArrowLeft: acts.back, Home: acts.first, End: acts.last,
    PageDown: acts["turn-next"], PageUp: acts["turn-back"], "]": acts["round-next"], "[": acts["round-back"], " ": play,
  };
  document.addEventListener("keydown", (event) => {
    const busy = ["SELECT", "BUTTON", "INPUT"].includes(event.target.tagName) && event.target !== slider;
    if (event.altKey || event.ctrlKey || event.metaKey || (busy && event.key !== "]" && event.key !== "[")) return;
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  addEventListener("hashchange", () => { const to = fromHash(); if (to !== null) go(to, { link: false }); });
  byId("player").hidden = false;
  document.body.classList.add("live");
  go(fromHash() ?? last, { link: false });
  // The browser has scrolled to the event that the link names; the board belongs on the screen as well.
  history.scrollRestoration = "manual";
  addEventListener("load", () => setTimeout(() => scrollTo(0, 0)));
})();
