import type { Static } from 'typebox';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import { actorOf, type Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { isCidr, rangesCover } from '../../domain/identity/ip-range.ts';
import { SYSTEM_ORG_SLUG } from '../../domain/identity/org.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { MintKeyInput } from './api-key-inputs.ts';
import { assertWithinPower, grantOf } from './grant.ts';
import type { IssuedKey, IssueKey } from './issue-key.ts';
import { keyMembers } from './key-members.ts';
import { expiryOf, type KeyLifetimes } from './key-lifetime.ts';
import { managedByOf } from '../call/managed-rows.ts';

type Input = Static<typeof MintKeyInput>;

/** Mints a key for an agent. The new key can do no more than the key that mints it. */
export class MintKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly issueKey: IssueKey,
    private readonly clock: Clock,
    private readonly lifetimes: KeyLifetimes,
  ) {}

  async execute(context: CallContext, input: Input): Promise<IssuedKey> {
    const { caller } = context;
    const grant = grantOf(input);
    assertWithinPower(caller, input.role, grant.scopes);
    const allowedIps = rangesFor(caller, input.allowedIps ?? null);
    const now = this.clock.now();
    const expiresAt = expiryOf(input, this.lifetimes, now);
    return this.idempotent.run(context, async (stores) => {
      const owner = await ownerOf(stores, caller, input);
      const issued = this.issueKey.issue({
        ...grant,
        role: input.role,
        ownerId: owner.id,
        orgId: input.role === 'platform' ? null : owner.orgId,
        label: input.label ?? null,
        allowedIps,
        expiresAt,
        hasFixedExpiry: (input.expiresAt ?? input.expiresInSeconds) !== undefined,
        createdAt: now.toISOString(),
        createdByKeyId: caller.apiKeyId,
        rotatedFromKeyId: null,
        managedBy: managedByOf(caller),
      });
      await stores.apiKeys.insert(issued.key);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(caller), requestId: context.requestId },
        {
          entryType: 'API_KEY_MINTED',
          orgId: issued.key.orgId,
          rows: { [issued.key.id]: issued.key.version },
          members: keyMembers(issued.key),
          event: 'key.minted',
          agentId: owner.id,
        },
      );
      return issued;
    });
  }
}

/** A key that is bound to address ranges cannot mint a key that works outside of them. */
const rangesFor = (
  caller: Caller,
  requested: readonly string[] | null,
): readonly string[] | null => {
  const errors = (requested ?? []).flatMap((range, index) =>
    isCidr(range)
      ? []
      : [
          {
            path: `/allowedIps/${index}`,
            keyword: 'format',
            message: 'is not an IP address or CIDR range',
          },
        ],
  );
  if (errors.length > 0)
    throw new NotaryError('UNPROCESSABLE', 'allowedIps takes IP addresses and CIDR ranges only.', {
      errors,
    });
  if (caller.allowedIps === null) return requested;
  const ranges = requested ?? caller.allowedIps;
  if (!rangesCover(caller.allowedIps, ranges))
    throw new NotaryError(
      'FORBIDDEN',
      'The minting key is bound to address ranges and grants none beyond them.',
      { allowedValues: caller.allowedIps },
    );
  return ranges;
};

/** The agent that a key is for. An agent of another org is refused exactly as a missing one is. */
const ownerOf = async (stores: Stores, caller: Caller, input: Input): Promise<Agent> => {
  // Locked, because a deactivation at the same time would not revoke the new key.
  const owner = await stores.agents.lock(input.ownerId);
  if (!owner || (caller.role !== 'platform' && owner.orgId !== caller.orgId))
    throw refusal(`There is no agent ${input.ownerId}.`);
  if (owner.deactivatedAt)
    throw refusal(
      `The agent ${owner.id} was deactivated at ${owner.deactivatedAt} and gets no keys.`,
    );
  const org = await stores.orgs.find(owner.orgId);
  const isSystem = org?.slug === SYSTEM_ORG_SLUG;
  if (input.role === 'platform' && !isSystem)
    throw refusal('A platform key belongs to an agent of the system org.');
  if (input.role !== 'platform' && isSystem)
    throw refusal('An agent of the system org holds platform keys only.');
  return owner;
};

const refusal = (detail: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    errors: [{ path: '/ownerId', keyword: 'owner', message: detail }],
    suggestion: 'Name an active agent that the key may belong to.',
  });
