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
    for (const written of data.lines[index].map((place) => data.spans[place])) {
      if (typeof written === "string") {
        line.append(written);
        continue;
      }
      const [text, tone, name] = written;
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
          for (const line of lines) pre.append(spanned(line));
          panel.append(pre);
        }
        shown.append(panel);
      }
      board.append(shown);
    }
    for (const pre of board.querySelectorAll("pre")) {
      if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;  // so that keys can scroll it
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
      list.scrollTop += items[at].getBoundingClientRect().top - list.getBoundingClientRect().top
        - list.clientHeight / 3;
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
    const named = location.hash.slice(1);
    const seq = data.notes[named] ?? Number(named);
    const found = data.steps.findIndex((step) => step[0] === seq);
    return found < 0 ? null : found;
  };

  for (const [index, view] of data.views.entries()) {
    const option = element("option", view.name);
    option.value = String(index);
    select.append(option);
  }
  select.disabled = data.views.length < 2;
  const see = (index) => {
    viewer = index;
    select.value = String(index);
    tell();
    go(at);
  };
  select.addEventListener("change", () => see(Number(select.value)));
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
    ArrowRight: acts.next, ArrowLeft: acts.back, Home: acts.first, End: acts.last, " ": play,
    "]": acts["turn-next"], "[": acts["turn-back"], "}": acts["round-next"], "{": acts["round-back"],
    v: () => see((viewer + 1) % data.views.length),
  };
  // What a focused element does with a key of its own is left to it.
  const taken = { SELECT: () => true, BUTTON: (key) => key === " ", SUMMARY: (key) => key === " " };
  document.addEventListener("keydown", (event) => {
    const shortcut = (event.altKey || event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
    const act = keys[event.key];
    if (shortcut || !act || taken[event.target.tagName]?.(event.key)) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#moments a");
    if (!link) return;
    event.preventDefault();
    go(data.steps.findIndex((step) => "#" + step[0] === link.hash));
  });
  addEventListener("hashchange", () => { const to = fromHash(); if (to !== null) go(to, { link: false }); });
  if (data.steps.every((step) => step[3] === data.steps[0][3])) {
    byId("round-back").hidden = byId("round-next").hidden = true;
  }
  byId("player").hidden = false;
  document.body.classList.add("live");
  if (innerWidth < 640 && byId("moments")) byId("moments").open = false;
  go(fromHash() ?? last, { link: false });
  // The browser would scroll the whole page to the event that a link names; the board belongs on the screen, too.
  for (const named of byId("told").querySelectorAll("[id]:not(h2)")) {
    named.dataset.seq = named.id;
    named.removeAttribute("id");
  }
  history.scrollRestoration = "manual";
  const top = () => scrollTo(0, 0);
  top();
  addEventListener("load", () => requestAnimationFrame(top));
})();
