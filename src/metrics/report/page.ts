import { createHash } from "node:crypto";
import chartScript from "uplot/dist/uPlot.iife.min.js?raw";
import chartStyle from "uplot/dist/uPlot.min.css?raw";
import chartLicense from "uplot/LICENSE?raw";
import { instantText } from "../reading/moments.ts";
import { type ReportLine, reportData } from "./data.ts";
import appScript from "./page/app.js?raw";
import appStyle from "./page/style.css?raw";

/**
 * The report as one HTML document that loads nothing. Names are only in its JSON, which its script turns into text; the
 * content security policy allows that script alone, and no request.
 */
export function reportPage(lines: readonly ReportLine[]): string {
  const { json, shown, total, from, to } = reportData(lines);
  const script = `/*\nuPlot\n\n${chartLicense.replaceAll("*/", "* /")}\n*/\n${chartScript}\n${appScript}`;
  const style = `${chartStyle}\n${appStyle}`;
  const policy = `default-src 'none'; img-src data:; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const time = (seconds: number) => instantText({ seconds: Math.floor(seconds), nanos: 0 });
  const summary = `${lines.length} series, ${time(from)} to ${time(to)}`;
  const thinned =
    shown < total
      ? `${shown} of ${total} points are shown: of a long series, the minimum and the maximum of each interval.`
      : `All ${total} points are shown.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>collectd readings</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>collectd readings</h1>
<p>${summary}</p>
<button id="theme" type="button">Light or dark</button>
</header>
<nav aria-label="Hosts and plugins">
<input id="search" type="search" placeholder="Search (/)" aria-label="Search hosts, plugins and series; Enter shows all that are found">
<button id="toggle" type="button" aria-controls="tree" aria-expanded="false">List</button>
<button id="group" type="button" aria-pressed="false">By plugin</button>
<div id="tree"></div>
</nav>
<main></main>
<footer>
<span id="status" role="status"></span>. ${thinned} Times are UTC. Counters are rates per second.
<span id="help">Drag to zoom, double-click or 0 to reset; on a focused chart + and − zoom and the arrow keys move.
In the list, the arrow keys move, open and close.</span>
</footer>
<script id="data" type="application/json">${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
