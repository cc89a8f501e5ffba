import type { TimeLine, TimeLineStep } from '../../../domain/verification/formats/time-line.ts';
import type { BothSides } from '../../../domain/verification/verify-both-sides.ts';
import { wordsOfActor } from '../../../domain/verification/story/actor-words.ts';
import type { Trust } from '../../../domain/verification/keys/trust.ts';
import { byId, el } from './elements.ts';
import { showVerdict } from './show-report.ts';
import { trusted } from './trusted.ts';

interface OtherFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly trust: Trust;
}

/** The export of the other hub of a record of two, with the key that is trusted for that hub. */
export class OtherSide {
  private readonly file = byId('with', HTMLInputElement);
  private readonly pin = byId('with-pin', HTMLInputElement);
  private readonly drop = byId('with-drop', HTMLElement);
  private dropped: File | null = null;

  constructor(private readonly onChange: () => void) {
    this.file.addEventListener('change', () => {
      this.dropped = null;
      onChange();
    });
    this.pin.addEventListener('change', onChange);
  }

  /** Whether what is dragged to this place is it. */
  isOver(place: EventTarget | null): boolean {
    return place instanceof Node && this.drop.contains(place);
  }

  mark(isOver: boolean): void {
    this.drop.classList.toggle('over', isOver);
  }

  take(file: File): void {
    this.file.value = '';
    this.dropped = file;
    this.onChange();
  }

  /**
   * Null where no other file was given.
   *
   * @throws PinError
   */
  async read(): Promise<OtherFile | null> {
    const file = this.dropped ?? this.file.files?.[0];
    if (!file) return null;
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name: file.name, bytes, trust: trusted(this.pin.value, null, 'with-pin') };
  }
}

/** The verdict on both files together, that on the other one, and what happened on both hubs. */
export const showBothSides = ({ verdict, peer, timeLine }: BothSides, name: string): HTMLElement =>
  el(
    'section',
    { 'aria-labelledby': 'both-title', id: 'both', 'data-verdict': verdict },
    el('h2', { id: 'both-title' }, HEADINGS[verdict]),
    el('h3', {}, `The other hub's file, ${name}`),
    showVerdict(peer),
    timeLine ? showTimeLine(timeLine) : null,
  );

const HEADINGS = {
  valid: '✓ Both files hold and tell the same',
  invalid: '✗ A file does not hold, or the two contradict each other',
  cannot_tell: '? The two files do not suffice to tell',
} as const;

const showTimeLine = ({ steps, verified }: TimeLine): HTMLElement =>
  el(
    'div',
    {},
    el(
      'h3',
      {},
      `${verified ? 'What happened' : 'What the files say happened'} on both hubs, each by its own clock`,
    ),
    el('ol', { id: 'both-timeline', class: 'timeline' }, steps.map(stepOf)),
  );

const stepOf = ({
  file,
  at,
  position,
  actor,
  text,
  details,
  failed,
}: TimeLineStep): HTMLElement => {
  const words = actor && wordsOfActor(actor);
  return el(
    'li',
    { class: failed ? 'broken' : 'sound', 'data-file': file },
    el(
      'p',
      { class: 'muted' },
      at === null ? 'at no known time' : el('time', { datetime: at }, at),
      ` · ${file === 'first' ? 'this hub' : 'the other hub'} · #${position ?? '?'}`,
    ),
    el('p', {}, words ? `${words.before}${words.name ?? ''}${words.after} ` : '', text),
    el(
      'ul',
      {},
      details.map((detail) => el('li', {}, detail)),
    ),
  );
};
