// What the pages do by themselves. A game's page is made by the server; this plays through the API, listens to the
// game's stream, and asks for the parts of the page anew when something happened.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const say = (...texts) => { byId("said").textContent = texts.filter(Boolean).join(" "); };

  // Asking ---------------------------------------------------------------------------------------------

  // The keys of requests of which it is not known whether they arrived: said again with the same key, they are
  // carried out once.
  const keys = new Map();
  const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  const send = async (method, path, body, headers = {}) => {
    const what = [method, path, JSON.stringify(body)].join(" ");
    if (!keys.has(what)) keys.set(what, newKey());
    for (let tries = 0; tries < 7; tries++) {
      try {
        const answer = await fetch(path, {
          method,
          headers: { "Content-Type": "application/json", "Idempotency-Key": keys.get(what), ...headers },
          body: JSON.stringify(body),
        });
        const found = await answer.json();
        if (answer.status !== 429 && answer.status !== 503) {
          keys.delete(what);
          return answer.ok ? found : { ...found, status: answer.status };
        }
      } catch {
        say("The connection is lost; this is sent again.");
      }
      await pause(Math.min(8000, 400 * 2 ** tries));
    }
    const hint = "It may have arrived: sent once more, it is still done only once.";
    return { status: 0, error: { message: "The server does not answer.", hint } };
  };
  const refused = (answer) => {
    if (answer.error) say(answer.error.message.replace(/([^.!?])$/, "$1."), answer.error.hint);
    return Boolean(answer.error);
  };

  // The lobby ------------------------------------------------------------------------------------------

  const join = (token) => fetch("/api/join", { method: "POST", headers: { Authorization: "Bearer " + token } });

  const linkItem = (who, link) => {
    const item = document.createElement("li");
    const label = document.createElement("label");
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = link;
    field.addEventListener("focus", () => field.select());
    label.append(who, field);
    item.append(label);
    return item;
  };

  const lobby = (form) => {
    const choose = () => {
      const option = form.slug.selectedOptions[0];
      const [least, most] = [Number(option.dataset.least), Number(option.dataset.most)];
      [...form.elements.seat].forEach((field, index) => {
        field.hidden = field.disabled = index >= most;
        field.required = index < least;
      });
      byId("rules").href = "/rules/" + form.slug.value;
      for (const part of form.querySelectorAll(".options")) part.hidden = part.dataset.slug !== form.slug.value;
    };
    form.slug.addEventListener("change", choose);
    choose();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      say("");
      const players = [...form.elements.seat].filter((field) => !field.disabled).map((field) => field.value.trim()).filter(Boolean);
      const options = {};
      for (const field of form.querySelectorAll(`.options[data-slug="${form.slug.value}"] [name=option]`)) {
        if (field.value) options[field.dataset.name] = field.value;
      }
      const body = { slug: form.slug.value, players, options, undo: form.undo.value, public: form.public.checked };
      const headers = form.token ? { Authorization: "Bearer " + form.token.value.trim() } : {};
      const made = await send("POST", "/api/g", body, headers);
      if (refused(made)) return;
      await join(made.tokens.owner);
      const seats = Object.entries(made.tokens.seats);
      const others = seats.filter(([name]) => name !== players[0]);
      for (const [name, token] of seats) {
        if (name === players[0] || form.others.value === "here") await join(token);
        else if (form.others.value === "open") {
          const opened = await send("PUT", `/api/g/${made.game}/seats`, { for: name, open: true });
          if (refused(opened)) return;
        }
      }
      if (form.others.value !== "links" || !others.length) {
        location.assign("/g/" + made.game);
        return;
      }
      byId("links").replaceChildren(...others.map(([name, token]) => linkItem(name, `${location.origin}/join#${token}`)));
      byId("to-game").href = "/g/" + made.game;
      byId("made").hidden = false;
      byId("to-game").focus();
    });
    const renew = async () => {
      if (document.hidden) return;
      const answer = await fetch("/").catch(() => null);
      if (!answer?.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const lists = document.querySelector("main .left"), found = fresh.querySelector("main .left");
      document.title = fresh.title;
      if (lists.innerHTML !== found.innerHTML && !lists.contains(document.activeElement)) lists.replaceChildren(...found.childNodes);
    };
    document.addEventListener("visibilitychange", renew);
    setInterval(renew, 15000);
    document.addEventListener("click", async (event) => {
      const button = event.target.closest("[data-act=take]");
      if (!button) return;
      const answer = await send("POST", `/api/g/${button.dataset.game}/seats`, { for: button.dataset.who });
      if (!refused(answer)) location.assign("/g/" + answer.game);
    });
  };

  // A game ---------------------------------------------------------------------------------------------

  const play = (page) => {
    const { game, as, seat } = page;
    const line = byId("line"), find = byId("find"), words = byId("words"), slider = byId("slider");
    const told = byId("told"), log = told.parentElement;
    const api = `/api/g/${game}/`;
    let last = Number(page.last);
    let at = Number(page.at) || 0;  // the event looked at, 0 for now
    let changed = 0;
    let asked = 0;
    let timer = 0;
    let completing = 0;

    const query = (parts) => new URLSearchParams({ as, ...parts }).toString();
    const mine = seat ? { "Turnlog-Seat": seat } : {};
    const act = (method, what, body, headers = {}) => send(method, api + what, body, { ...mine, ...headers });

    // Showing

    const replace = (id, html) => {
      const place = byId(id);
      if (!place || place.shown === html) return;
      const focused = place.contains(document.activeElement) ? document.activeElement : null;
      const { move, find: sought, act: named } = focused?.dataset ?? {};
      place.innerHTML = place.shown = html;
      if (!focused) return;
      const same = [...place.querySelectorAll("button")].find((one) =>
        one.dataset.move === move && one.dataset.find === sought && one.dataset.act === named);
      (same ?? line ?? byId("told-title")).focus({ preventScroll: true });
    };

    const wide = () => {
      for (const pre of document.querySelectorAll(".board pre")) {
        if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;  // so that keys can scroll it
      }
    };

    const show = (moment) => {
      for (const [id, html] of Object.entries(moment.parts)) replace(id, html);
      document.body.classList.toggle("past", Boolean(at));
      if (line) line.placeholder = moment.waits || "type or choose a move";
      slider.max = String(last);
      slider.value = String(at || last);
      slider.setAttribute("aria-valuetext", "event " + (at || last));
      byId("where").textContent = at ? `event ${at} of ${last}` : `now, event ${last}`;
      for (const item of told.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
      const here = at ? told.querySelector(`[data-seq="${at}"]`) : null;
      if (here) {
        here.setAttribute("aria-current", "step");
        log.scrollTop += here.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 3;
      }
      if (byId("note-about")) byId("note-about").textContent = at ? "event " + at : "the last event";
      mark();
      wide();
    };

    const refresh = async () => {
      const mineOnly = ++asked;
      const looked = at;
      const parts = { ...(looked ? { at: looked } : {}), ...(find?.value.trim() ? { find: find.value } : {}) };
      let moment;
      try {
        const answer = await fetch(`/g/${game}/live?${query(parts)}`);
        moment = await answer.json();
      } catch {
        if (mineOnly === asked) soon(2000);
        return undefined;
      }
      if (mineOnly !== asked) return undefined;
      if (moment.error) {
        if (moment.error.code === "too-many") soon(1000);
        else refused(moment);
        return undefined;
      }
      changed = moment.changed;
      document.title = moment.title;
      return show(moment);
    };
    const soon = (ms = 40) => {
      clearTimeout(timer);
      timer = setTimeout(refresh, ms);
    };

    // What happened

    const item = (one) => {
      const made = byId("event").content.firstElementChild.cloneNode(true);
      made.dataset.seq = String(one.seq);
      if (one.kind === "noted") made.classList.add("noted");
      const link = made.querySelector("a");
      link.textContent = String(one.seq);
      link.href = "?" + query({ at: one.seq });
      made.querySelector(".text").textContent = one.told.join(" ");
      return stands(made, one.stands);
    };
    const stands = (shown, yes) => {
      shown.classList.toggle("undone", !yes);
      shown.querySelector(".tag").hidden = yes;
      return shown;
    };
    const tell = (one) => {
      if (told.querySelector(`[data-seq="${one.seq}"]`)) return;
      told.append(item(one));
      follow();
      if (one.kind === "moves-undone" || one.kind === "moves-redone") standing();
    };
    // The list stays at its end, unless somebody reads further up.
    let following = true;
    const follow = () => { if (following && !at) log.scrollTop = log.scrollHeight; };
    log.addEventListener("scroll", () => { following = log.scrollTop + log.clientHeight > log.scrollHeight - 40; });
    const logged = async (after) => (await fetch(`${api}log?${query({ after })}`)).json();
    // After an undo or redo other events stand than before.
    const standing = async () => {
      const first = Number(told.firstElementChild.dataset.seq);
      for (let after = first - 1; after < last;) {
        const found = await logged(after);
        if (!found.length) return;
        for (const one of found) {
          const shown = told.querySelector(`[data-seq="${one.seq}"]`);
          if (shown) stands(shown, one.stands);
        }
        after = found[found.length - 1].seq;
      }
    };
    const earlier = async () => {
      const first = Number(told.firstElementChild.dataset.seq);
      const found = await logged(Math.max(0, first - 201));
      told.prepend(...found.filter((one) => one.seq < first).map(item));
      document.querySelector("[data-act=earlier]").hidden = Number(told.firstElementChild.dataset.seq) === 1;
    };

    // Looking back

    const go = (to) => {
      const seq = Math.max(1, Math.min(last, to));
      at = seq === last ? 0 : seq;
      history.replaceState(null, "", "?" + query(at ? { at } : {}));
      slider.value = String(seq);
      soon(80);
    };

    // Choosing a move

    const mark = () => {
      for (const one of document.querySelectorAll("[data-move]")) {
        const chosen = Boolean(line?.value) && one.dataset.move === line.value;
        one.setAttribute("aria-pressed", String(chosen));
      }
    };
    const choose = (move) => {
      if (line.value === move) return submit();
      line.value = move;
      close();
      say("");
      mark();
      return undefined;
    };
    const narrow = async (sought) => {
      find.value = sought;
      await refresh();
      const first = byId("moves").querySelector("button");
      byId("choices").scrollIntoView({ block: "start" });
      (first ?? find).focus({ preventScroll: true });
    };
    const submit = async () => {
      const move = line.value.trim();
      if (!move) return say("Type a move, or choose one.");
      close();
      const answer = await act("POST", "play", { move }, changed ? { "If-Match": `"${changed}"` } : {});
      if (answer.status === 412 || answer.status === 409) {
        say("Somebody was first, and the game has gone on: your move was not made. Look at what happened, and play it again if you still want to.");
      } else if (!refused(answer)) {
        say("");
        line.value = "";
        if (find.value) find.value = "";
      }
      return soon();
    };

    // Completion: the words that the shell would offer

    const close = () => {
      completing++;
      words.hidden = true;
      line.setAttribute("aria-expanded", "false");
      line.removeAttribute("aria-activedescendant");
    };
    const complete = async () => {
      const mineOnly = ++completing;
      const typed = line.value;
      await pause(90);
      if (mineOnly !== completing) return;
      const answer = await fetch(`${api}complete?${query({ line: typed })}`).catch(() => null);
      const found = answer?.ok ? (await answer.json()).words : [];
      if (mineOnly !== completing) return;
      words.replaceChildren(...found.slice(0, 50).map((word, index) => {
        const option = document.createElement("li");
        option.id = "word-" + index;
        option.setAttribute("role", "option");
        option.textContent = word;
        return option;
      }));
      words.hidden = !found.length || (found.length === 1 && typed.endsWith(found[0]));
      line.setAttribute("aria-expanded", String(!words.hidden));
      line.removeAttribute("aria-activedescendant");
    };
    const picked = () => words.querySelector("[aria-selected=true]");
    const pick = (step) => {
      const all = [...words.children];
      const now = picked();
      now?.removeAttribute("aria-selected");
      const next = all[(all.indexOf(now) + step + (now || step > 0 ? 0 : 1) + all.length) % all.length];
      next.setAttribute("aria-selected", "true");
      next.scrollIntoView({ block: "nearest" });
      line.setAttribute("aria-activedescendant", next.id);
    };
    const take = (option) => {
      line.value = line.value.slice(0, line.value.lastIndexOf(" ") + 1) + option.textContent + " ";
      line.focus();
      mark();
      complete();
    };

    // Acts

    const done = (answer) => {
      if (!refused(answer)) say("");
      soon();
      return !answer.error;
    };
    const acts = {
      first: () => go(1), back: () => go((at || last) - 1), next: () => go((at || last) + 1), now: () => go(last),
      earlier,
      undo: async () => done(await act("POST", "undo", {}, changed ? { "If-Match": `"${changed}"` } : {})),
      redo: async () => done(await act("POST", "redo", {}, changed ? { "If-Match": `"${changed}"` } : {})),
      agree: async () => done(await act("POST", "agree", {})),
      refuse: async () => done(await act("POST", "agree", { refuse: true })),
      withdraw: async () => done(await act("POST", "agree", { withdraw: true })),
      drop: async ({ number }) => done(await act("POST", "orders/drop", { number: Number(number) })),
      resign: async () => confirm("Resign, and so end the game?") && done(await act("POST", "close", {})),
      abandon: async () => confirm("End the game for everybody?") && done(await act("POST", "close", { abandon: true })),
      public: async () => done(await act("PUT", "public", { public: true })) && say("Anybody may watch now."),
      private: async () => done(await act("PUT", "public", { public: false })) && say("Watching takes a link now."),
      invite: async ({ who }, button) => {
        const answer = await act("POST", "tokens", { for: who });
        if (!done(answer)) return;
        const made = linkItem(who + ": ", answer.link);
        button.closest("li").append(...made.childNodes);
        button.closest("li").querySelector("input:last-of-type").focus();
      },
      offer: async ({ who }) => done(await act("PUT", "seats", { for: who, open: true })) && say(`${who}'s seat is open in the lobby.`),
      revoke: async ({ who }) => {
        if (!confirm(`Make all links of ${who} void?`)) return;
        if (done(await act("POST", "tokens/revoke", { for: who }))) say(`Nobody sits at ${who}'s seat any more.`);
      },
    };

    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-act]");
      if (button) return acts[button.dataset.act](button.dataset, button);
      const piece = event.target.closest("[data-move]");
      if (piece && line) return piece.dataset.move ? choose(piece.dataset.move) : narrow(piece.dataset.find);
      const option = event.target.closest("[role=option]");
      if (option) return take(option);
      const link = event.target.closest("#told a");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        return go(Number(link.parentElement.dataset.seq));
      }
      return words && !event.target.closest("#play") ? close() : undefined;
    });
    slider.addEventListener("input", () => go(Number(slider.value)));
    if (line) {
      byId("play").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
      line.addEventListener("input", () => { mark(); complete(); });
      line.addEventListener("focus", () => { if (!line.value) complete(); });
      line.addEventListener("keydown", (event) => {
        const open = !words.hidden;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          if (open) pick(event.key === "ArrowDown" ? 1 : -1);
          else complete();
        } else if ((event.key === "Enter" || event.key === "Tab") && open && picked()) {
          event.preventDefault();
          take(picked());
        } else if (event.key === "Escape") close();
        else if (event.key === "Tab") close();
      });
      find.addEventListener("input", () => soon(120));
      find.form.addEventListener("submit", (event) => event.preventDefault());
    }
    byId("note-form")?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = byId("note");
      if (done(await act("POST", "notes", { about: at || last, text: text.value }))) text.value = "";
    });
    byId("order-form")?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const order = byId("order");
      if (done(await act("POST", "orders", { move: order.value }))) order.value = "";
    });
    const moving = { ArrowLeft: acts.back, ArrowRight: acts.next, Home: acts.first, End: acts.now };
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select, pre")) return;
      if (event.key === "/" && line) line.focus();
      else if (moving[event.key]) moving[event.key]();
      else return;
      event.preventDefault();
    });

    // Listening

    const listen = () => {
      const source = new EventSource(`${api}events?${query({ after: last })}`);
      source.onopen = () => { byId("link").textContent = ""; };
      source.onmessage = (event) => {
        const one = JSON.parse(event.data);
        last = Math.max(last, one.seq);
        tell(one);
        soon();
      };
      source.onerror = () => {
        byId("link").textContent = "The connection is lost; trying again.";
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(listen, 5000);
        soon();
      };
    };
    listen();
    document.addEventListener("visibilitychange", () => { if (!document.hidden) soon(); });
    // Requests to take moves back are no events, and time runs without any.
    if (page.watch) setInterval(() => { if (!document.hidden) soon(); }, seat ? 5000 : 30000);
    document.querySelector(".walk").hidden = false;
    new ResizeObserver(follow).observe(log);
    refresh();
  };

  if (byId("create")) lobby(byId("create"));
  if (document.body.dataset.game) play(document.body.dataset);
})();
