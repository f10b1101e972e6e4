(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");

  // --- rounds: one at a time, or all -------------------------------------------------------------------------------
  const rounds = [...document.querySelectorAll("details.round")];
  const bar = byId("switch");
  let only = null;
  const choose = (round) => {
    only = round;
    for (const item of rounds) {
      item.hidden = round !== null && item !== round;
      if (item === round) item.open = true;
    }
    for (const button of bar.children) button.setAttribute("aria-pressed", String(button.value === (round ? round.id : "")));
  };
  if (bar && rounds.length > 1) {
    const add = (words, round) => {
      const button = document.createElement("button");
      button.type = "button";
      button.value = round ? round.id : "";
      button.textContent = words;
      button.addEventListener("click", () => choose(round));
      bar.append(button);
    };
    for (const round of rounds) add(round.querySelector("h3").textContent, round);
    add("All rounds", null);
    bar.hidden = false;
    choose(rounds[rounds.length - 1]);
  }

  // --- the plan ----------------------------------------------------------------------------------------------------
  const viewer = byId("viewer");
  const data = byId("plan-data") ? JSON.parse(byId("plan-data").textContent) : null;
  let current = 0;
  let show = () => {};
  if (viewer && data) {
    const held = new Set(data.start);
    const slider = byId("slider");
    const last = data.steps.length;
    const goals = [...byId("goals").children];
    const list = byId("facts");
    const chips = data.facts.map((fact) => {
      const item = document.createElement("li");
      item.textContent = fact;
      return item;
    });
    const holds = (flips, at) => flips.filter((flip) => flip <= at).length % 2 === 1;
    const move = (to) => {
      for (; current < to; current++) {
        for (const fact of data.steps[current][1]) held.add(fact);
        for (const fact of data.steps[current][2]) held.delete(fact);
      }
      for (; current > to; current--) {
        for (const fact of data.steps[current - 1][1]) held.delete(fact);
        for (const fact of data.steps[current - 1][2]) held.add(fact);
      }
    };
    const announce = () => {
      const line = byId("now");
      line.textContent = current ? `Step ${current} of ${last}: ` : "Start: the initial state. ";
      if (current) {
        const code = document.createElement("code");
        code.textContent = data.steps[current - 1][0];
        line.append(code);
      }
      const met = data.goals.filter((flips) => holds(flips, current)).length;
      const cost = current && data.steps[current - 1].length > 3 ? `, cost so far ${data.steps[current - 1][3]}` : "";
      line.append(` (${met} of ${data.goals.length} goal conditions hold${cost})`);
    };
    const drawFacts = () => {
      const added = new Set(current ? data.steps[current - 1][1] : []);
      const gone = new Set(current ? data.steps[current - 1][2] : []);
      const shown = [...held, ...gone].sort((one, two) => one - two);
      // In a long list what the step changes comes first; a short one keeps its order, so that the eye can follow.
      const changed = (fact) => Number(added.has(fact) || gone.has(fact));
      if (shown.length > 60) shown.sort((one, two) => changed(two) - changed(one) || one - two);
      list.replaceChildren(...shown.map((fact) => {
        chips[fact].className = added.has(fact) ? "ins" : gone.has(fact) ? "del" : "";
        return chips[fact];
      }));
    };
    show = (step) => {
      const rows = document.querySelectorAll(".steps > li[aria-current]");
      for (const row of rows) row.removeAttribute("aria-current");
      move(Math.max(0, Math.min(last, step)));
      drawFacts();
      announce();
      goals.forEach((row, index) => {
        const now = holds(data.goals[index], current);
        row.firstChild.className = now ? "tick ok" : "tick";
        row.firstChild.textContent = now ? "✓ true" : "○ false";
      });
      slider.value = String(current);
      slider.setAttribute("aria-valuetext", current ? `step ${current} of ${last}` : "start");
      viewer.querySelector("[data-go=first]").disabled = viewer.querySelector("[data-go=previous]").disabled = current === 0;
      viewer.querySelector("[data-go=last]").disabled = viewer.querySelector("[data-go=next]").disabled = current === last;
      const row = byId(`step-${current}`);
      if (row) row.setAttribute("aria-current", "step");
    };
    const ways = { first: () => 0, previous: () => current - 1, next: () => current + 1, last: () => last };
    for (const button of viewer.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => show(ways[button.dataset.go]()));
    }
    slider.addEventListener("input", () => show(Number(slider.value)));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === slider) return;
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      show(current + (event.key === "ArrowRight" ? 1 : -1));
    });
    viewer.hidden = false;
    show(0);
  }

  // --- links into folds, hidden rounds and steps -------------------------------------------------------------------
  const follow = () => {
    const target = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    const step = /^step-(\d+)$/.exec(target.id);
    if (step && viewer) {
      show(Number(step[1]));
      viewer.scrollIntoView({ block: "nearest" });
      return;
    }
    const round = target.closest("details.round");
    if (round && only && round !== only) choose(round);
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    // A link to where the address already points changes nothing, so that `hashchange` would not come.
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) follow();
  });
  addEventListener("hashchange", follow);
  follow();

  // --- print everything --------------------------------------------------------------------------------------------
  addEventListener("beforeprint", () => {
    if (rounds.length > 1) choose(null);
    for (const fold of document.querySelectorAll("details.round, details.all, details.text")) fold.open = true;
  });
})();
