import { STATUSES, TERMINAL, type RecordStatus } from './record-status.ts';
import type { Transition } from './lifecycle.ts';
import { arrowsOf, type Arrow } from './lifecycle-diagram.ts';

/** From one state to another, or to itself. `from` null: out of nothing. */
export type Step = Pick<Arrow, 'from' | 'to'>;

/**
 * The lifecycle as an SVG image, made without a browser or a layout engine. Each state has a column
 * (its phase) and a row of its own, so a line that leaves a state sideways crosses no other box.
 * The line runs to the track of its target state, a vertical line between two columns that all
 * arrows into that state share, and along the track into the state. The actions are written at the
 * start of a line.
 *
 * @param taken the path of one record, drawn in.
 */
export const lifecycleSvg = (
  transitions: readonly Transition[],
  taken: readonly Step[] = [],
): string => {
  const layout = layOut(arrowsOf(transitions), taken);
  const { width, height } = layout;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${FONT}">`,
    `<title id="title">Lifecycle of a record${taken.length > 0 ? ', with the path that this one took' : ''}</title>`,
    `<desc id="desc">The states of a record and the actions that lead from one to another. States with a double border end a record.</desc>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0.5 8 4 0 7.5z" fill="${LINE}"/></marker><marker id="head-taken" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0.5 8 4 0 7.5z" fill="${TAKEN}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...PHASES.map(({ name }, column) =>
      text(
        layout.columns[column]!.x + BOX_WIDTH / 2,
        24,
        name,
        `text-anchor="middle" fill="${MUTED}"`,
      ),
    ),
    `<g fill="none" stroke="${LINE}" stroke-width="1.4">${layout.lines.join('')}</g>`,
    ...layout.boxes,
    `<g fill="${LABEL}">${layout.labels.join('')}</g>`,
    doubleBox(MARGIN, height - 34, 34, 20),
    text(
      MARGIN + 44,
      height - 20,
      'ends a record; only an override or a dispute still changes it',
      `fill="${MUTED}"`,
    ),
    '</svg>',
  ].join('\n');
};

/** From left to right, and within a phase from top to bottom. */
const PHASES: readonly { readonly name: string; readonly states: readonly RecordStatus[] }[] = [
  { name: 'Agreement', states: ['CREATED', 'PROPOSED'] },
  { name: 'Work', states: ['ACTIVE', 'REVISION_REQUESTED'] },
  { name: 'Ended early', states: ['REJECTED', 'CANCELLED', 'EXPIRED'] },
  { name: 'Decided', states: ['RECORDED', 'FULFILLED', 'FAILED'] },
  { name: 'Set right', states: ['REMEDIATED'] },
];

/** A state without a phase would be missing from the image. */
const ORDER: readonly RecordStatus[] = [
  ...PHASES.flatMap(({ states }) => states),
  ...STATUSES.filter((status) => !PHASES.some(({ states }) => states.includes(status))),
];

const FONT = 13;
const CHARACTER = 7.1;
/** Characters in a line of text. */
const WORDS_WIDTH = 23;
const LINE_HEIGHT = 16;
const BOX_WIDTH = 184;
const BOX_MIN_HEIGHT = 44;
const ROW_GAP = 14;
const TRACK_GAP = 14;
const MARGIN = 24;
const TOP = 44;
const START_RADIUS = 9;
const [LINE, LABEL, MUTED, OPEN_FILL, END_FILL, BORDER, TAKEN, TAKEN_FILL] = [
  '#475569',
  '#0f172a',
  '#64748b',
  '#eff6ff',
  '#f8fafc',
  '#1e3a8a',
  '#c2410c',
  '#ffedd5',
] as const;

/** Where a line leaves or enters a box, measured from the top of the box. */
interface Port {
  readonly side: 'left' | 'right';
  readonly height: number;
}

interface Box {
  readonly state: RecordStatus | null;
  /** -1: the column of the start node. */
  readonly column: number;
  readonly y: number;
  readonly height: number;
  readonly ports: ReadonlyMap<string, number>;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly { readonly x: number }[];
  readonly lines: readonly string[];
  readonly boxes: readonly string[];
  readonly labels: readonly string[];
}

const layOut = (arrows: readonly Arrow[], taken: readonly Step[]): Layout => {
  const boxes = placeBoxes(arrows);
  const boxOf = new Map(boxes.map((box) => [box.state, box]));
  const channels = placeChannels(arrows, boxOf);
  const right = (column: number): number =>
    column < 0 ? MARGIN + 2 * START_RADIUS : columnX(channels, column) + BOX_WIDTH;
  const lines: string[] = [];
  const labels: string[] = [];
  const isTaken = ({ from, to }: Step): boolean =>
    taken.some((step) => step.from === from && step.to === to);
  const visited = new Set(taken.flatMap(({ from, to }) => [from, to]));
  // What was taken is drawn over the rest.
  for (const arrow of [...arrows.filter((one) => !isTaken(one)), ...arrows.filter(isTaken)]) {
    const stroke = isTaken(arrow)
      ? `stroke="${TAKEN}" stroke-width="3.2" marker-end="url(#head-taken)"`
      : 'marker-end="url(#head)"';
    const [source, target] = [boxOf.get(arrow.from)!, boxOf.get(arrow.to)!];
    const x = right(source.column);
    const y = source.ports.get(leaving(arrow))!;
    const words = wordsOf(arrow);
    if (source === target) {
      lines.push(`<path d="M${x} ${y}h16q6 0 6 6v2q0 6 -6 6h-14" ${stroke}/>`);
      words.forEach((line, index) =>
        labels.push(text(x + 30, y + 11 + (index - (words.length - 1) / 2) * LINE_HEIGHT, line)),
      );
      continue;
    }
    const side = sideOf(source, target);
    const track = trackX(channels, target, side);
    const into = target.ports.get(entering(arrow, side))!;
    const end = side === 'left' ? columnX(channels, target.column) : right(target.column);
    const bend = Math.sign(into - y) * 6;
    lines.push(
      `<path d="M${x} ${y}H${track - 6}q6 0 6 ${bend}V${into - bend}q0 ${bend} ${side === 'left' ? 6 : -6} ${bend}H${end + (side === 'left' ? -2 : 2)}" ${stroke}/>`,
    );
    words.forEach((line, index) =>
      labels.push(text(x + 8, y - 5 - (words.length - 1 - index) * LINE_HEIGHT, line)),
    );
  }
  const last = channels.at(-1)!;
  return {
    width: Math.ceil(last.x + last.width + MARGIN),
    height: Math.ceil(Math.max(...boxes.map((box) => box.y + box.height)) + 56),
    columns: PHASES.map((_phase, column) => ({ x: columnX(channels, column) })),
    lines,
    boxes: boxes.map((box) =>
      box.state === null
        ? `<rect x="${MARGIN}" y="${box.y}" width="${2 * START_RADIUS}" height="${box.height}" rx="${START_RADIUS}" fill="${LABEL}"/>`
        : drawBox(
            box,
            box.state,
            columnX(channels, box.column),
            visited.has(box.state) ? TAKEN_FILL : null,
          ),
    ),
    labels,
  };
};

/** Boxes are stacked, each as high as the lines that leave and enter it need. */
const placeBoxes = (arrows: readonly Arrow[]): readonly Box[] => {
  const boxes: Box[] = [];
  let y = TOP;
  for (const state of [null, ...ORDER]) {
    const column = columnOf(state);
    const ports = new Map<string, Port>();
    for (const arrow of arrows) {
      if (arrow.to === state && arrow.from !== state) {
        const side = columnOf(arrow.from) < column ? 'left' : 'right';
        ports.set(entering(arrow, side), { side, height: LINE_HEIGHT });
      }
      if (arrow.from === state)
        ports.set(leaving(arrow), {
          side: 'right',
          height: wordsOf(arrow).length * LINE_HEIGHT + (arrow.to === state ? 18 : 6),
        });
    }
    const placed = new Map<string, number>();
    const used = { left: 8, right: 8 };
    for (const [name, port] of ports) {
      used[port.side] += port.height;
      placed.set(name, y + used[port.side] - (name.startsWith('loop') ? port.height / 2 + 4 : 0));
    }
    const height = Math.max(BOX_MIN_HEIGHT, used.left + 10, used.right + 10);
    const slack = (height - used.left - 10) / 2;
    boxes.push({
      state,
      column,
      y,
      height,
      ports: new Map(
        [...placed].map(([name, at]) => [name, ports.get(name)!.side === 'left' ? at + slack : at]),
      ),
    });
    y += height + ROW_GAP;
  }
  return boxes;
};

/**
 * The space between two columns holds the words of the lines that leave the left column, then one
 * track for each state that is entered from here.
 */
interface Channel {
  readonly x: number;
  readonly width: number;
  readonly tracks: readonly string[];
  readonly words: number;
}

const placeChannels = (
  arrows: readonly Arrow[],
  boxOf: ReadonlyMap<RecordStatus | null, Box>,
): readonly Channel[] => {
  const channels: Channel[] = [];
  let x = MARGIN + 2 * START_RADIUS;
  for (let column = -1; column < PHASES.length; column++) {
    const out = arrows.filter((arrow) => columnOf(arrow.from) === column);
    const words = Math.max(
      16,
      ...out.flatMap((arrow) =>
        wordsOf(arrow).map((line) => line.length * CHARACTER + (arrow.from === arrow.to ? 36 : 14)),
      ),
    );
    const tracks = new Set<string>();
    // The lower the state, the nearer its track is to the words, so that fewer lines cross.
    for (const arrow of [...arrows].sort((a, b) => boxOf.get(b.to)!.y - boxOf.get(a.to)!.y)) {
      if (arrow.from === arrow.to) continue;
      const side = sideOf(boxOf.get(arrow.from)!, boxOf.get(arrow.to)!);
      if ((side === 'left' ? columnOf(arrow.to) - 1 : columnOf(arrow.to)) === column)
        tracks.add(`${side} ${arrow.to}`);
    }
    const width = words + (tracks.size + 1) * TRACK_GAP + 8;
    channels.push({ x, width, tracks: [...tracks], words });
    x += width + BOX_WIDTH;
  }
  return channels;
};

const columnX = (channels: readonly Channel[], column: number): number =>
  channels[column]!.x + channels[column]!.width;

const trackX = (channels: readonly Channel[], target: Box, side: Port['side']): number => {
  const { x, words, tracks } = channels[side === 'left' ? target.column : target.column + 1]!;
  return Math.round(x + words + (tracks.indexOf(`${side} ${target.state}`) + 1) * TRACK_GAP);
};

const columnOf = (state: RecordStatus | null): number => {
  const column = PHASES.findIndex(({ states }) => state !== null && states.includes(state));
  return state !== null && column < 0 ? PHASES.length - 1 : column;
};

/** A line from further left enters on the left; every other line goes around to the right. */
const sideOf = (source: Box, target: Box): Port['side'] =>
  source.column < target.column ? 'left' : 'right';

const leaving = (arrow: Arrow): string => `${arrow.from === arrow.to ? 'loop' : 'to'} ${arrow.to}`;
/** All arrows that come from one side enter as one. */
const entering = (arrow: Arrow, side: Port['side']): string => `from ${side} ${arrow.to}`;

/** The actions, broken into lines. */
const wordsOf = ({ actions }: Arrow): readonly string[] => {
  const lines: string[] = [];
  for (const action of actions) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + action.length + 2 <= WORDS_WIDTH)
      lines[lines.length - 1] = `${last}, ${action}`;
    else lines.push(action);
  }
  return lines;
};

/** @param fill of a state on the path that was taken. */
const drawBox = (
  { y, height }: Box,
  state: RecordStatus,
  x: number,
  fill: string | null,
): string => {
  const name = text(
    x + BOX_WIDTH / 2,
    y + height / 2 + 5,
    state,
    `text-anchor="middle" font-weight="600" fill="${LABEL}"`,
  );
  return (
    (TERMINAL.has(state)
      ? doubleBox(x, y, BOX_WIDTH, height, fill ?? END_FILL)
      : roundedBox(x, y, BOX_WIDTH, height, fill ?? OPEN_FILL)) + name
  );
};

const roundedBox = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${fill}" stroke="${BORDER}" stroke-width="1.6"/>`;

const doubleBox = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string = END_FILL,
): string =>
  `${roundedBox(x, y, width, height, fill)}<rect x="${x + 3.5}" y="${y + 3.5}" width="${width - 7}" height="${height - 7}" rx="7" fill="none" stroke="${BORDER}"/>`;

/** Names of states and actions only: nothing in it needs to be escaped. */
const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes && ` ${attributes}`}>${content}</text>`;
