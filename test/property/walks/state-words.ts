import type { Body } from '../../support/service/world.ts';
import type { ModelRecord } from './model-world.ts';

/** The state of a record in one line, the same for the model and for an answer, so that both can be compared and read. */
const stateWords = (
  ...[status, awaiting, countered, revisions, disputed]: readonly unknown[]
): string =>
  `${status}, awaits ${awaiting}${countered ? ', countered' : ''}${disputed ? ', disputed' : ''}, ${revisions} revisions`;

export const stateOfModel = (one: ModelRecord): string =>
  stateWords(
    one.status,
    one.awaiting,
    one.countered && one.status === 'PROPOSED',
    one.revisions,
    one.dispute !== null,
  );

export const stateOfAnswer = (body: Body): string =>
  stateWords(
    body['status'],
    body['awaiting'],
    body['counterProposal'] !== null && body['status'] === 'PROPOSED',
    body['revisionCount'],
    body['disputed'],
  );
