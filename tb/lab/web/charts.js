// SPDX-License-Identifier: Apache-2.0
// Charts of points and bars. The value of the nearest one is said below the chart: under the mouse, and by the arrow
// keys. Series differ in colour, mark and dashes.
"use strict";
const lab_charts = (() => {
  const { make, ink, axis_style } = page_parts;
  const MARKS = ["●", "■", "▲", "◆", "▼", "★", "○", "□", "△", "◇", "▽", "☆"];
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const COLOURS = 9;
  const mark_of = (style) => MARKS[style % MARKS.length];
  const colour_of = (style) => ink(`--c${style % COLOURS}`);
  const HEIGHT = 260;
  const NEAR = 40; // pixels from the mouse
  const SAME = 6; // marks that lie on each other are told together

  const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const short = (value) => Number(value.toPrecision(4)).toLocaleString("en-US", { maximumSignificantDigits: 4 });
  const decades = (values) => {
    const positive = values.filter((value) => value > 0);
    if (positive.length === 0) return [1, 10];
    const least = Math.floor(Math.log10(Math.min(...positive)));
    return [10 ** least, 10 ** Math.max(least + 1, Math.ceil(Math.log10(Math.max(...positive))))];
  };
  const power_of_ten = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

  const axes_of = (axes, ticks_of_x) => [
    { ...axis_style(), label: axes.x, size: 30, labelSize: 20, labelFont: "12px system-ui", ...ticks_of_x },
    { ...axis_style(), label: axes.y, labelSize: 18, labelFont: "12px system-ui", size: 56 },
  ];

  // `points`: what can be chosen, as { x, y, words } from left to right.
  const follow = (figure, value, points) => {
    let chosen = -1;
    const at = (chart, point) => [chart.valToPos(point.x, "x"), chart.valToPos(point.y, "y")];
    const choose = (chart, index) => {
      if (index === chosen) return;
      chosen = index;
      value.textContent = index < 0 ? "" : points.filter((point) => distance(at(chart, point), at(chart, points[index])) < SAME)
        .map((point) => point.words).join("; ");
      chart.redraw(false);
    };
    const nearest = (chart) => {
      const { left, top } = chart.cursor;
      if (left == null || left < 0) return;
      const distances = points.map((point) => distance(at(chart, point), [left, top]));
      const best = distances.indexOf(Math.min(...distances));
      choose(chart, best >= 0 && (points[best].wide || distances[best] < NEAR) ? best : -1);
    };
    const ring = (chart) => {
      if (chosen < 0) return;
      const [x, y] = at(chart, points[chosen]).map((place) => place * devicePixelRatio);
      chart.ctx.save();
      chart.ctx.setLineDash([]);
      chart.ctx.strokeStyle = ink("--text");
      chart.ctx.lineWidth = 2 * devicePixelRatio;
      chart.ctx.beginPath();
      chart.ctx.arc(chart.bbox.left + x, chart.bbox.top + y, 9 * devicePixelRatio, 0, 2 * Math.PI);
      chart.ctx.stroke();
      chart.ctx.restore();
    };
    const wire = (chart) => figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const end = { Home: 0, End: points.length - 1 }[event.key];
      if (step === undefined && end === undefined) return;
      event.preventDefault();
      choose(chart, end !== undefined ? end : Math.max(0, Math.min(points.length - 1, chosen + step)));
    });
    return { hooks: { setCursor: [nearest], draw: [ring] }, wire };
  };
  const draw = (box, title, points, options, data, draw_marks) => {
    const value = make("p", { className: "value" });
    value.setAttribute("aria-live", "polite");
    const figure = make("figure", { tabIndex: 0 }, make("figcaption", { textContent: title }));
    figure.setAttribute("aria-label", `${title}: ${points.length} values, arrow keys tell them`);
    box.append(figure);
    const { hooks, wire } = follow(figure, value, points);
    if (draw_marks) hooks.draw.unshift(draw_marks);
    const chart = new uPlot({ width: figure.clientWidth, height: HEIGHT, legend: { show: false }, hooks,
      cursor: { drag: { x: false, y: false }, points: { show: false } }, ...options }, data, figure);
    figure.append(value);
    wire(chart);
  };

  // `series`: { name, style, points: [x, y] }, x on a logarithmic axis. What it cannot show stands at its lower end.
  const xy = (box, title, axes, series, lines) => {
    const range = decades(series.flatMap((one) => one.points.map(([x]) => x)));
    const all = series.flatMap((one) => one.points.map(([x, y]) => ({ x: Math.max(x, range[0]), y, style: one.style,
      words: `${one.name}: ${axes.x_words(x)}, ${axes.y_words(y)}` }))).sort((a, b) => a.x - b.x);
    const xs = [...new Set(all.map((point) => point.x))];
    const data = [xs, ...series.map((one) => xs.map((x) => (one.points.find((point) => Math.max(point[0], range[0]) === x) || [])[1] ?? null))];
    const marks = (chart) => {
      chart.ctx.save();
      chart.ctx.font = `${14 * devicePixelRatio}px system-ui, sans-serif`;
      chart.ctx.textAlign = "center";
      chart.ctx.textBaseline = "middle";
      for (const point of all) {
        chart.ctx.fillStyle = colour_of(point.style);
        chart.ctx.fillText(mark_of(point.style), chart.valToPos(point.x, "x", true), chart.valToPos(point.y, "y", true));
      }
      chart.ctx.restore();
    };
    draw(box, title, all, {
      scales: { x: { time: false, distr: 3, range: () => range }, y: { range: (_, __, most) => [0, most * 1.08 || 1] } },
      axes: axes_of(axes, { splits: () => { const powers = []; for (let at = range[0]; at <= range[1] * 1.001; at *= 10) powers.push(at); return powers; },
        filter: (_, splits) => splits, values: (_, splits) => splits.map((at) => (power_of_ten(at) ? short(at) : "")) }),
      series: [{}, ...series.map((one) => ({ label: one.name, stroke: colour_of(one.style), dash: DASHES[one.style % DASHES.length],
        width: lines ? 1.5 : 0, spanGaps: true, points: { show: false } }))],
    }, data, marks);
  };

  // `list`: [label, value] from left to right.
  const bars = (box, title, axes, list) => {
    const each = Math.floor(list.length / 20) + 1; // labels must not overlap
    const points = list.map(([label, y], x) => ({ x, y, wide: true, words: `${axes.x_words(label)}: ${axes.y_words(y)}` }));
    draw(box, title, points, {
      scales: { x: { time: false, range: () => [-0.6, list.length - 0.4] }, y: { range: (_, __, most) => [0, most * 1.08 || 1] } },
      axes: axes_of(axes, { grid: { show: false }, splits: () => list.map((_, at) => at).filter((at) => at % each === 0),
        values: (_, splits) => splits.map((at) => list[at][0]), filter: (_, splits) => splits }),
      series: [{}, { stroke: colour_of(0), fill: colour_of(0), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.8, 60] }) }],
    }, [list.map((_, at) => at), list.map(([, value]) => value)]);
  };
  return { xy, bars, mark_of, colour_of, short };
})();
