import type { AgentReference } from '../../domain/identity/agent-reference.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import {
  assertReferenceTarget,
  findReference,
  MAX_REFERENCES,
  type ReferenceTarget,
} from '../../domain/kernel/reference-target.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { lockOwnAgent } from './own-agent.ts';

type AddAgentReferenceInput = Pick<ReferenceTarget, 'kind' | 'uri'> &
  Partial<ReferenceTarget> & { readonly agentId: Uuid };

/** Adds an external reference to an agent. The same kind and URI given twice is one reference. */
export class AddAgentReference {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly ids: IdSource,
  ) {}

  execute(
    context: CallContext,
    { agentId, kind, uri, digest = null, label = null }: AddAgentReferenceInput,
  ): Promise<{ readonly reference: AgentReference; readonly added: boolean }> {
    return this.idempotent.run(context, (stores) =>
      this.add(stores, context, agentId, { kind, uri, digest, label }),
    );
  }

  private async add(
    stores: Stores,
    { caller, requestId }: CallContext,
    agentId: Uuid,
    target: ReferenceTarget,
  ): Promise<{ readonly reference: AgentReference; readonly added: boolean }> {
    const agent = await lockOwnAgent(stores, caller, agentId, 'references');
    const references = await stores.agentReferences.of(agent.id);
    assertReferenceTarget(target);
    const known = findReference(references, target);
    if (known) return { reference: known, added: false };
    if (references.length >= MAX_REFERENCES) {
      throw new NotaryError(
        'UNPROCESSABLE',
        `An agent has at most ${MAX_REFERENCES} references; this one is full.`,
        {
          errors: [
            {
              path: '',
              keyword: 'maxItems',
              message: `the agent has ${MAX_REFERENCES} references`,
            },
          ],
          suggestion: 'Put the further references behind one of those that are there.',
        },
      );
    }
    const { kind, uri, digest, label } = target;
    const [id, addedBy] = [this.ids.next(), actorOf(caller)];
    const members = { agentId: agent.id, reference: { id, kind, uri, digest, label } };
    const eventData = { agentId: agent.id, reference: { kind, uri, digest } };
    const entry = await this.sealPlatform.seal(
      stores,
      { actor: addedBy, requestId },
      {
        entryType: 'AGENT_REFERENCE_ADDED',
        orgId: agent.orgId,
        rows: { [id]: 1 },
        members,
        event: 'agent.reference_added',
        eventData,
        agentId: agent.id,
      },
    );
    const reference: AgentReference = {
      id,
      agentId: agent.id,
      kind,
      uri,
      digest,
      label,
      addedBy,
      addedAt: entry.at,
    };
    await stores.agentReferences.insert(reference, entry.position);
    return { reference, added: true };
  }
}
