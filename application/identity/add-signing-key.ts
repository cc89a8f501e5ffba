import { MAX_SIGNING_KEYS, signingKey, type SigningKey } from '../../domain/identity/agent-key.ts';
import { publicKeyOfCoseKey, publicKeyOfJwk } from '../../domain/identity/agent-key-input.ts';
import {
  coseThumbprint,
  verifyingKeyOf,
  type AgentPublicKey,
} from '../../domain/identity/agent-public-key.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { assertPossession } from '../../domain/identity/possession.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { coseKeyOf, keyIdOf } from '../../domain/vault/cose-key.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { assertActive, lockOwnAgent } from './own-agent.ts';
import { keyTaken, unlessTaken } from './taken-key.ts';

export interface AddSigningKeyInput {
  readonly agentId: Uuid;
  /** Exactly one of the two. */
  readonly publicKeyJwk?: { readonly [member: string]: unknown };
  readonly coseKey?: string;
  readonly proofOfPossession: string;
  readonly issuers?: readonly string[];
}

/** Registers a key that an agent signs statements with, and the issuers that it signs as. */
export class AddSigningKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly vault: Pick<Vault, 'keyOf'>,
  ) {}

  async execute(context: CallContext, input: AddSigningKeyInput): Promise<SigningKey> {
    const key = keyOf(input);
    // What a key of the hub signs is the hub's word, also when it leaked and was retired.
    if (await this.vault.keyOf(keyIdOf(verifyingKeyOf(key)))) throw keyTaken();
    await assertPossession(key, input.agentId, toHex(coseThumbprint(key)), input.proofOfPossession);
    return unlessTaken(
      this.idempotent.run(context, (stores) => this.add(stores, context, input, key)),
    );
  }

  private async add(
    stores: Stores,
    { caller, requestId }: CallContext,
    input: AddSigningKeyInput,
    key: AgentPublicKey,
  ): Promise<SigningKey> {
    const agent = await lockOwnAgent(stores, caller, input.agentId, 'keys');
    assertActive(agent);
    if (await stores.agentKeys.isTaken(coseThumbprint(key))) throw keyTaken();
    if ((await stores.agentKeys.signingKeys(agent.id)).length >= MAX_SIGNING_KEYS) {
      throw new NotaryError(
        'UNPROCESSABLE',
        `An agent has at most ${MAX_SIGNING_KEYS} signing keys, revoked ones included; this one is full.`,
        {
          errors: [
            {
              path: '',
              keyword: 'maxItems',
              message: `the agent has ${MAX_SIGNING_KEYS} signing keys`,
            },
          ],
          suggestion: 'Go on signing with a key that is registered, or as another agent.',
        },
      );
    }
    const issuers = [...new Set(input.issuers ?? [])];
    const verifying = verifyingKeyOf(key);
    const eventData = { agentId: agent.id, thumbprint: toHex(coseThumbprint(key)) };
    const members = {
      ...eventData,
      algorithm: verifying.algorithm,
      coseKey: encodeBase64(encodeCbor(coseKeyOf(verifying))),
      issuers,
      proofOfPossession: input.proofOfPossession,
    };
    const entry = await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId },
      {
        entryType: 'SIGNING_KEY_ADDED',
        orgId: agent.orgId,
        rows: { [eventData.thumbprint]: 1 },
        members,
        event: 'agent.signing_key_added',
        eventData,
        agentId: agent.id,
      },
    );
    const added = signingKey(agent.id, key, issuers, entry.at);
    await stores.agentKeys.insertSigningKey(added, entry.position);
    return added;
  }
}

const keyOf = ({ publicKeyJwk, coseKey }: AddSigningKeyInput): AgentPublicKey => {
  if (publicKeyJwk !== undefined && coseKey === undefined)
    return publicKeyOfJwk(publicKeyJwk, 'signing');
  if (coseKey !== undefined && publicKeyJwk === undefined) return publicKeyOfCoseKey(coseKey);
  throw new NotaryError('VALIDATION_ERROR', 'Give the key once: as publicKeyJwk or as coseKey.', {
    errors: [
      {
        path: '/publicKeyJwk',
        keyword: 'oneOf',
        message: 'give exactly one of publicKeyJwk and coseKey',
      },
    ],
  });
};
