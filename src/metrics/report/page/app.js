// The script of the page, which runs in a browser. Names only ever become text: through textContent and attributes.
/* global document, window, uPlot */
(() => {
  const report = JSON.parse(document.getElementById("data").textContent);
  const most = 40;
  const heads = ["value", "min", "average", "max", "last"];
  const sync = uPlot.sync("report");
  const main = document.querySelector("main");
  const tree = document.getElementById("tree");
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const nav = document.querySelector("nav");
  const toggle = document.getElementById("toggle");
  const group = document.getElementById("group");
  let charts = [];
  let zooming = false;
  // Which of the keys of a line come first in the list: its host, or its plugin.
  let keys = ["h", "p"];

  /** The points of a line: times as differences in varints, then values as 32-bit floats; NaN is a break. */
  function points({ d, f, k }) {
    const bytes = Uint8Array.from(atob(d), (character) => character.charCodeAt(0));
    let at = 0;
    const next = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const count = next();
    const times = [];
    let ticks = 0;
    for (let index = 0; index < count; index += 1) {
      ticks += next();
      times.push(f + ticks * k);
    }
    const view = new DataView(bytes.buffer, at);
    const values = times.map((_, index) => {
      const value = view.getFloat32(index * 4, true);
      return Number.isNaN(value) ? null : value;
    });
    return [times, values];
  }

  function number(value, unit) {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e21)) return value.toExponential(3) + unit;
    const step = size < 1000 ? 0 : Math.min(6, Math.floor(Math.log10(size) / 3 + 1e-9));
    return `${Number((value / 1000 ** step).toPrecision(4))}${["", "k", "M", "G", "T", "P", "E"][step]}${unit}`;
  }

  // Labels of the time axis: the smallest step in seconds that a row is for, the label, and what to add below it where a
  // year, a month, a day, an hour, a minute or a second begins.
  const date = "\n{YYYY}-{MM}-{DD}";
  const timeLabels = [
    [31_536_000, "{YYYY}", null, null, null, null, null, null, 1],
    [2_419_200, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
    [86_400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
    [60, "{HH}:{mm}", date, null, date, null, null, null, 1],
    [1, "{HH}:{mm}:{ss}", date, null, date, null, null, null, 1],
    [0.001, ":{ss}.{fff}", `${date} {HH}:{mm}`, null, `${date} {HH}:{mm}`, null, "\n{HH}:{mm}", null, 1],
  ];

  /** The time of a point: `2026-01-31 07:05:00 UTC`, with milliseconds if there are any. */
  function timeText(seconds) {
    const text = new Date(Math.round(seconds * 1000)).toISOString();
    return `${text.slice(0, 10)} ${text.slice(11, -1).replace(/\.000$/, "")} UTC`;
  }

  function element(name, text, parent) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    parent?.append(made);
    return made;
  }

  const resolved = (name) => () => {
    const probe = element("i", undefined, document.body);
    probe.style.color = `var(${name})`;
    const value = window.getComputedStyle(probe).color;
    probe.remove();
    return value;
  };

  function lineColor(index, count) {
    const known = ["#3987d6", "#d9700f", "#1a9c6b", "#c65fa0", "#b58a00", "#5aa9c9", "#a3623a", "#8a7bd8"];
    return known[index] ?? `hsl(${Math.round((index * 360) / count)} 60% 50%)`;
  }

  function zoomAll(from, min, max) {
    if (zooming) return;
    zooming = true;
    for (const { plot } of charts) if (plot && plot !== from) plot.setScale("x", { min, max });
    zooming = false;
  }

  const sizeIn = (section) => ({ width: Math.max(200, section.clientWidth - 22), height: 220 });

  function draw(chart) {
    const { section, lines, time } = chart;
    const data = uPlot.join(lines.map(points));
    // Room for the longest label, so that they do not run together: a date, or a date and time.
    const space = (_plot, _axis, min, max) => (max - min < 60 ? 130 : 80);
    const axis = {
      stroke: resolved("--soft"),
      grid: { stroke: resolved("--line"), width: 1 },
      ticks: { stroke: resolved("--line") },
    };
    const series = lines.map((line, index) => ({
      label: line.l,
      stroke: lineColor(index, lines.length),
      width: 1.5,
      spanGaps: false,
      values: (plot, row, at) => {
        const texts = [at === null ? null : plot.data?.[row]?.[at], ...line.s].map((value) => number(value, line.u));
        return Object.fromEntries(heads.map((head, column) => [head, texts[column]]));
      },
    }));
    chart.plot = new uPlot(
      {
        ...sizeIn(section),
        cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false } },
        scales: { x: { time: true, range: (_plot, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) } },
        series: [{}, ...series],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        axes: [
          { ...axis, values: timeLabels, space },
          { ...axis, size: 64, values: (_plot, all) => all.map((value) => number(value, "")) },
        ],
        hooks: {
          setCursor: [
            (plot) => {
              const { idx } = plot.cursor;
              time.textContent = idx === null || idx === undefined ? "" : timeText(plot.data[0][idx]);
            },
          ],
          setScale: [
            (plot, key) => {
              if (key === "x" && chart.plot) zoomAll(plot, plot.scales.x.min, plot.scales.x.max);
            },
          ],
        },
      },
      data,
      section,
    );
    const canvas = section.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute(
      "aria-label",
      lines.map(({ l, s, u }) => `${l}: ${number(s[0], u)} to ${number(s[2], u)}`).join("; "),
    );
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const chart = charts.find(({ section }) => section === target);
      if (isIntersecting && chart && !chart.plot) draw(chart);
    }
  });

  /** Shows these lines: one chart for each type of a plugin instance. */
  function show(lines, what) {
    for (const { plot } of charts) plot?.destroy();
    seen.disconnect();
    main.replaceChildren();
    const byChart = Map.groupBy ? Map.groupBy(lines, ({ h, p, t }) => JSON.stringify([h, p, t])) : grouped(lines);
    charts = [...byChart.values()].slice(0, most).map((own) => {
      const section = element("section", undefined, main);
      section.tabIndex = 0;
      const [{ h, p, t }] = own;
      const title = element("h2", `${p} / ${t} `, section);
      element("small", h, title);
      section.setAttribute("aria-label", `${h}/${p}/${t}`);
      return { section, lines: own, time: element("time", "", title), plot: undefined };
    });
    for (const { section } of charts) seen.observe(section);
    const hidden = byChart.size - charts.length;
    status.textContent = `${what}: ${charts.length} ${charts.length === 1 ? "chart" : "charts"}${hidden > 0 ? `, ${hidden} more not shown` : ""}`;
  }

  function grouped(lines) {
    const all = new Map();
    for (const line of lines) {
      const key = JSON.stringify([line.h, line.p, line.t]);
      all.set(key, [...(all.get(key) ?? []), line]);
    }
    return all;
  }

  function choose(button, lines, what) {
    for (const one of tree.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    open(false);
    show(lines, what);
  }

  /** Shows or hides the list where it is not beside the charts. */
  function open(isOpen) {
    nav.classList.toggle("open", isOpen);
    toggle.setAttribute("aria-expanded", String(isOpen));
  }

  /** Lists hosts and their plugins, or plugins and their hosts, that have a line which contains all words. */
  function list(words) {
    const matches = ({ h, p, t, l }) => words.every((word) => `${h}/${p}/${t}/${l}`.toLowerCase().includes(word));
    const found = report.series.filter(matches);
    const [outer, inner] = keys;
    const groups = new Map();
    for (const line of found) {
      const items = groups.get(line[outer]) ?? new Map();
      groups.set(line[outer], items);
      const lines = items.get(line[inner]);
      if (lines) lines.push(line);
      else items.set(line[inner], [line]);
    }
    tree.replaceChildren();
    for (const [name, lists] of groups) {
      const details = element("details", undefined, tree);
      details.open = groups.size === 1 || words.length > 0;
      element("summary", name, details);
      const items = element("ul", undefined, details);
      for (const [item, lines] of lists) {
        const button = element("button", item, element("li", undefined, items));
        button.type = "button";
        const [{ h, p }] = lines;
        button.addEventListener("click", () => choose(button, lines, `${h}/${p}`));
      }
    }
    if (found.length === 0) element("p", "No series found", tree);
    return found;
  }

  function zoom(plot, inner, shift) {
    const { min, max } = plot.scales.x;
    const [middle, half] = [(min + max) / 2 + (max - min) * shift, ((max - min) / 2) * inner];
    plot.setScale("x", { min: middle - half, max: middle + half });
  }

  function reset() {
    for (const { plot } of charts) plot?.setData(plot.data, true);
  }

  main.addEventListener("keydown", (event) => {
    const chart = charts.find(({ section }) => section === event.target);
    if (!chart?.plot) return;
    const keys = { "+": [0.5, 0], "=": [0.5, 0], "-": [2, 0], ArrowLeft: [1, -0.2], ArrowRight: [1, 0.2] };
    const [inner, shift] = keys[event.key] ?? [];
    if (inner === undefined) return;
    event.preventDefault();
    zoom(chart.plot, inner, shift);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "0" && document.activeElement !== search) reset();
    else if (event.key === "Escape" && search.value !== "") {
      search.value = "";
      list([]);
    } else if (
      (event.key === "ArrowRight" || event.key === "ArrowLeft") &&
      document.activeElement.parentElement?.localName === "details"
    ) {
      event.preventDefault();
      document.activeElement.parentElement.open = event.key === "ArrowRight";
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && nav.contains(document.activeElement)) {
      const stops = [search, ...tree.querySelectorAll("summary, details[open] button")];
      const next = stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) event.preventDefault();
      next?.focus();
    }
  });

  const wordsOf = () =>
    search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
  search.addEventListener("input", () => {
    open(wordsOf().length > 0);
    list(wordsOf());
  });
  toggle.addEventListener("click", () => open(!nav.classList.contains("open")));
  group.addEventListener("click", () => {
    keys = keys.toReversed();
    group.setAttribute("aria-pressed", String(keys[0] === "p"));
    open(true);
    list(wordsOf());
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose(undefined, list(wordsOf()), `Search for ${search.value}`);
  });

  const theme = document.getElementById("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  theme.addEventListener("click", () => {
    const isDark = (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
    for (const { plot } of charts) plot?.redraw(false, true);
  });
  dark.addEventListener("change", () => {
    for (const { plot } of charts) plot?.redraw(false, true);
  });
  const resize = () => {
    for (const { section, plot } of charts) plot?.setSize(sizeIn(section));
  };
  window.addEventListener("resize", resize);

  // On paper: every chart, in light colors, as wide as the narrower of A4 and Letter.
  let themeBefore;
  window.addEventListener("beforeprint", () => {
    themeBefore = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    for (const chart of charts) {
      if (!chart.plot) draw(chart);
      chart.plot.setSize({ width: 640, height: 200 });
      chart.plot.redraw(false, true);
    }
  });
  window.addEventListener("afterprint", () => {
    if (themeBefore === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = themeBefore;
    resize();
    for (const { plot } of charts) plot?.redraw(false, true);
  });

  list([]);
  const [first] = report.series;
  if (first !== undefined) {
    tree.querySelector("details").open = true;
    const lines = report.series.filter(({ h, p }) => h === first.h && p === first.p);
    choose(tree.querySelector("button"), lines, `${first.h}/${first.p}`);
  }
})();
