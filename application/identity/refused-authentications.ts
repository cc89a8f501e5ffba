import { addressBlock } from '../../domain/identity/ip-range.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { SummedEvents } from '../event/summed-events.ts';
import type { Occurrence, Rest } from '../ports/sums.ts';
import type { RefusalListener } from '../call/bearer.ts';
import { RefusedCredential } from '../call/refused-credential.ts';

/** Nobody knows who called. */
const NOBODY = { kind: 'system', agentId: null } as const;

/** What is told of refusals that found no place of their own. */
export const OTHER_REFUSALS: Rest = {
  type: 'auth.refused',
  orgId: null,
  partyAgentId: null,
  agentId: null,
  data: { addressBlock: null, reason: 'others', apiKeyId: null, actor: NOBODY },
};

/** Tells of credentials that were refused: by address block, reason and key. */
export class RefusedAuthentications implements RefusalListener {
  constructor(private readonly events: Pick<SummedEvents, 'tell'>) {}

  tell(error: NotaryError, address: string, requestId: string): void {
    this.events.tell(occurrenceOf(error, address, requestId));
  }
}

const occurrenceOf = (error: NotaryError, address: string, requestId: string): Occurrence => {
  const refused = error.cause instanceof RefusedCredential ? error.cause : null;
  const key = refused?.key ?? null;
  // Of a token the refusal itself says why.
  const reason =
    refused?.fault ??
    error.members.reason ??
    (error.code === 'ACCOUNT_DEACTIVATED' ? 'account_deactivated' : 'invalid_token');
  const block = addressBlock(address);
  return {
    group: JSON.stringify([block, reason, key?.id ?? null]),
    type: 'auth.refused',
    orgId: key?.orgId ?? null,
    partyAgentId: null,
    agentId: key?.ownerId ?? null,
    data: { addressBlock: block, reason, apiKeyId: key?.id ?? null, actor: NOBODY },
    requestId,
  };
};
