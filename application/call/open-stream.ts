import { NotaryError } from '../../domain/kernel/errors.ts';
import { assertAccess, type CredentialAccess } from './access.ts';
import type { Budgets } from './budgets.ts';
import type { Admission } from './call.port.ts';
import type { Look, SharedLooks } from './shared-looks.ts';

/** A stream that goes on after its call was admitted. */
export interface OpenStream {
  /** Aborts where the credential ended meanwhile; the reason is the refusal. */
  readonly signal: AbortSignal;
  /** Gives the slot back. Called again, it does nothing. */
  close(): void;
}

/**
 * A stream holds a slot of its key, over all protocols together, and lives as long as its credential.
 *
 * @throws NotaryError RATE_LIMITED where as many of the key's as may run at once are open.
 */
export const openStream = (
  { call, caller }: Admission,
  access: CredentialAccess,
  parts: { readonly looks: SharedLooks; readonly budgets: Budgets },
): OpenStream => {
  if (!caller) throw new TypeError('a stream takes a credential');
  const giveBack = parts.budgets.occupy(caller, 'streams');
  const ended = new AbortController();
  const unwatch = parts.looks.watch(call, (look) => {
    const refusal = refusalOf(look, access);
    if (!refusal) return;
    // Another look would count as one more failed authentication of this address, however long its reader takes to leave.
    unwatch();
    ended.abort(refusal);
  });
  return {
    signal: ended.signal,
    close: () => {
      unwatch();
      giveBack();
    },
  };
};

/** Whether it still holds is not known where the database is away; the next look may tell. */
const refusalOf = (look: Look, access: CredentialAccess): NotaryError | null => {
  try {
    if ('error' in look) throw look.error;
    assertAccess(access, look.caller);
    return null;
  } catch (error) {
    return error instanceof NotaryError && ENDS.has(error.entry.kind) ? error : null;
  }
};

const ENDS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);
