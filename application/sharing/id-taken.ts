import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** A peer gives an id that names something else here: nothing is written under it. */
export const idTaken = (what: string, id: Uuid): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The id ${id} is taken here; the ${what} needs another one.`, {
    reason: 'id_taken',
  });
