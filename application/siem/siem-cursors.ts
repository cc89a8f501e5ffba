import type { EventViewer } from '../../domain/event/event-reads.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { SiemFormat } from '../../domain/siem/siem-line.ts';
import type { Cursors } from '../call/cursors.ts';

/** Where a walk stands: behind an event, or before its first one. */
export type SiemPlace =
  | { readonly sequence: number; readonly id: Uuid; readonly numberedAt: string }
  /** null: from the oldest event on. */
  | { readonly since: string | null };

/** What a cursor is good for. */
export interface SiemWalk {
  readonly viewer: EventViewer;
  readonly hubId: Uuid;
  readonly format: SiemFormat;
}

/**
 * Cursors of the stream. They are not bound to a key: whoever sees the same goes on with them, so a rotated key does. Those
 * made under an older SECRETS_KEY hold for as long as that one is known.
 */
export class SiemCursors {
  constructor(private readonly cursors: Cursors) {}

  encode(place: SiemPlace, walk: SiemWalk): string {
    const keyset =
      'since' in place
        ? { key: `since ${place.since ?? ''}`, id: '' }
        : { key: `${place.sequence} ${place.numberedAt}`, id: place.id };
    return this.cursors.encode(keyset, bindingOf(walk));
  }

  /** @throws NotaryError VALIDATION_ERROR where it is damaged, or is of another walk. */
  decode(cursor: string, walk: SiemWalk): SiemPlace {
    const { key, id } = this.read(cursor, bindingOf(walk));
    const [first = '', second = ''] = key.split(' ');
    return first === 'since'
      ? { since: second === '' ? null : second }
      : { sequence: Number(first), id, numberedAt: second };
  }

  private read(cursor: string, binding: string): { readonly key: string; readonly id: string } {
    try {
      return this.cursors.decode(cursor, binding);
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
    }
    throw new NotaryError(
      'VALIDATION_ERROR',
      'The cursor is damaged, or is of another hub, another format or somebody who sees other events.',
      {
        errors: [{ path: '/cursor', keyword: 'cursor', message: 'does not belong to this stream' }],
        suggestion:
          'Send X-Service-Stream-Cursor as it came, with the format it came with, or begin again with since.',
      },
    );
  }
}

const bindingOf = ({ viewer, hubId, format }: SiemWalk): string => {
  const { kind, ...whose } = viewer;
  return JSON.stringify(['siem-stream', hubId, format, kind, ...Object.values(whose)]);
};
