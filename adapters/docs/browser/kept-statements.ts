import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { byId, el } from './elements.ts';

interface Kept {
  /** As the reader knows it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The statements that the reader kept: files that are chosen or dropped, and one that is pasted. */
export class KeptStatements {
  private readonly files = byId('kept', HTMLInputElement);
  private readonly text = byId('kept-text', HTMLTextAreaElement);
  private readonly drop = byId('kept-drop', HTMLElement);
  private dropped: readonly File[] = [];

  constructor(private readonly onChange: () => void) {
    this.files.addEventListener('change', () => {
      this.dropped = [];
      onChange();
    });
    this.text.addEventListener('change', onChange);
  }

  /** Whether what is dragged to this place is one of them. */
  isOver(place: EventTarget | null): boolean {
    return place instanceof Node && this.drop.contains(place);
  }

  mark(isOver: boolean): void {
    this.drop.classList.toggle('over', isOver);
  }

  take(files: readonly File[]): void {
    this.files.value = '';
    this.dropped = files;
    this.onChange();
  }

  async read(): Promise<readonly Kept[]> {
    const files = [...(this.files.files ?? []), ...this.dropped];
    const kept = files.map(async (file) => ({
      name: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    }));
    const pasted = this.text.value.trim();
    return [
      ...(await Promise.all(kept)),
      ...(pasted === ''
        ? []
        : [{ name: 'the pasted one', bytes: new TextEncoder().encode(pasted) }]),
    ];
  }
}

/** What became of each; null where none was given. */
export const showKept = (
  { kept }: VerificationReport,
  given: readonly Pick<Kept, 'name'>[],
): HTMLElement | null =>
  kept.length === 0
    ? null
    : el(
        'section',
        { 'aria-labelledby': 'kept-title' },
        el('h2', { id: 'kept-title' }, 'Statements that you kept'),
        el(
          'ul',
          { id: 'kept-results' },
          kept.map(({ result, detail }, index) =>
            el(
              'li',
              { 'data-result': result },
              el('span', { class: CLASSES[result] }, MARKS[result]),
              ` ${given[index]?.name ?? ''}: ${detail}`,
            ),
          ),
        ),
      );

const MARKS = {
  passed: '✓ stands in the chain:',
  failed: '✗ CONTRADICTS the chain:',
  skipped_no_input: '? cannot be told:',
} as const;
const CLASSES = { passed: 'passed', failed: 'failed', skipped_no_input: 'skipped' } as const;
