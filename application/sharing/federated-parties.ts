import type { FederatedParty, ProjectionPredicate } from '../../domain/federation/projection.ts';
import { isObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { jwkOf } from '../../domain/identity/agent-public-key.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';

/** The sides of a federated record as a projection names them: the own one by its rows, the other by its own word. */
export class FederatedParties {
  constructor(private readonly vault: Vault) {}

  async of(
    stores: Stores,
    record: RecordState,
  ): Promise<Pick<ProjectionPredicate, 'principal' | 'performer'>> {
    const { federation } = record;
    if (!federation || record.performerAgentId === null)
      throw payloadDrift(record.id, 'the record has no party on another hub');
    if (federation.role === 'home')
      return {
        principal: await this.own(stores, record.orgId, record.principalAgentId),
        performer: {
          hubId: federation.peerHubId,
          orgId: await performerOrg(stores, record.id),
          agentId: record.performerAgentId,
        },
      };
    const offer = await stores.federation.incoming(record.id, 1);
    const said = offer && readEntry(offer.statement)?.predicate['principal'];
    if (!isObject(said)) throw payloadDrift(record.id, 'the offer of its home is missing');
    return {
      principal: said as unknown as FederatedParty,
      performer: await this.own(stores, record.orgId, record.performerAgentId),
    };
  }

  private async own(stores: Stores, orgId: Uuid, agentId: Uuid): Promise<FederatedParty> {
    const encryption = await stores.agentKeys.encryptionKey(agentId);
    const signing = (await stores.agentKeys.signingKeys(agentId)).filter(
      ({ revokedAt }) => revokedAt === null,
    );
    return {
      hubId: this.vault.hub.hubId,
      orgId,
      agentId,
      ...(encryption ? { encryptionKeyJwk: { ...encryption.jwk } } : {}),
      ...(signing.length > 0 ? { signingKeys: signing.map(({ key }) => ({ ...jwkOf(key) })) } : {}),
    };
  }
}

/** The org of the performer, as the first attestation of its hub says; null before. */
export const performerOrg = async (stores: Stores, recordId: Uuid): Promise<Uuid | null> => {
  const offer = await stores.federation.outgoing(recordId, 1);
  const said = offer?.answer && readEntry(offer.answer.attestation)?.predicate['orgId'];
  return typeof said === 'string' ? said : null;
};
