import uPlot from 'uplot';

export interface Line {
  readonly label: string;
  /** Null where there is no value. */
  readonly values: readonly (number | null)[];
}

export interface Plotted {
  /** Seconds since the epoch, or numbers, ascending. */
  readonly xs: readonly number[];
  readonly isTime: boolean;
  readonly lines: readonly Line[];
  /** A value, between 0 and 1, as text. */
  format(value: number): string;
}

const HEIGHT = 220;
const STROKES = ['#1d4ed8', '#c2410c'];
const STROKES_IN_THE_DARK = ['#93c5fd', '#fdba74'];

/** Draws a plot into a place, as wide as it is, and again when that changes. @returns how to take it away. */
export const draw = (place: HTMLElement, { xs, isTime, lines, format }: Plotted): (() => void) => {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const ink = isDark ? '#cbd5e1' : '#475569';
  const grid = { stroke: isDark ? '#334155' : '#e2e8f0' };
  const strokes = isDark ? STROKES_IN_THE_DARK : STROKES;
  const plot = new uPlot(
    {
      width: widthOf(place),
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: false },
      // Every other time of the console is in UTC as well.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      scales: { x: { time: isTime }, y: { range: [0, 1] } },
      axes: [
        { stroke: ink, grid },
        { stroke: ink, grid, size: 70, values: (_, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        ...lines.map(({ label }, index) => ({
          label,
          stroke: strokes[index % strokes.length]!,
          width: 2,
          ...(index > 0 ? { dash: [6, 4] } : {}),
          spanGaps: true,
          points: { show: true, size: 6 },
        })),
      ],
    },
    [[...xs], ...lines.map(({ values }) => [...values])],
    place,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: widthOf(place), height: HEIGHT }));
  watch.observe(place);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
};

const widthOf = (place: HTMLElement): number => Math.max(240, place.clientWidth);
