import { printable } from '../../domain/kernel/printable.ts';
import { ConfigFacts } from '../../domain/identity/config-facts.ts';
import type { KeyLookup } from '../../domain/vault/open-entry.ts';
import { importVerificationKey, readEntry } from '../../domain/vault/open-entry.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { FollowedChain } from '../sealing/followed-chain.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import { PlatformLedger } from '../sealing/platform-ledger.ts';
import { proveSuccession, type ProvenKeys } from '../sealing/prove-succession.ts';
import type { CarriedConfig, Finding } from './carried-config.ts';
import type { ConfigSource } from './config-source.port.ts';
import { readIdentities } from './read-identities.ts';
import type { ReadTypes } from './read-types.ts';
import type { UsableInput } from './usable-input.ts';
import { WholeChains } from './whole-chains.ts';

/**
 * Reads what another database of this service says of orgs, agents and record types. The signed chains are believed and
 * no row: they need no secret, so a vault whose secrets are all lost is read as well, and what somebody edited, added or
 * deleted in the tables is found. A row gives only what its entries bind by a digest, the manifests, and the display
 * names of agents, which its MAC vouches for.
 */
export class ReadConfig {
  constructor(
    private readonly usable: UsableInput,
    private readonly types: ReadTypes,
  ) {}

  /**
   * @throws VaultRowError where the keys of the source are not proven, CONFLICT with reason payload_drift where its
   *   platform chain does not verify, or was cut.
   */
  async read(source: ConfigSource): Promise<CarriedConfig> {
    const { vaultKeys, chains } = source;
    const proven = await proveSuccession(vaultKeys, chains);
    const keyOf = await keysOf(proven);
    const platform = new FollowedChain(PLATFORM_CHAIN, chains, { keyOf }, () => new ConfigFacts());
    const facts = await platform.now();
    const { retirements } = proven;
    const ledger = new PlatformLedger(chains, { keyOf });
    const whole = new WholeChains(source, { keyOf, retirements }, ledger);
    const fault = await whole.faultOf(PLATFORM_CHAIN);
    if (fault !== null) throw payloadDrift(PLATFORM_CHAIN, fault);
    const identities = await readIdentities(source, facts, this.usable);
    const { recordTypes, findings } = await this.types.read(
      source,
      { keyOf, whole },
      identities.orgs,
    );
    const newest = await chains.newest(PLATFORM_CHAIN);
    return {
      source: {
        hub: proven.hub,
        signingKeyFingerprint: fingerprintOf(publicKeyFromSpki(proven.keys[0].publicKey)),
        platformEntries: platform.length,
        newestEntryAt: String(newest && readEntry(newest.coseSign1)?.predicate['at']),
      },
      orgs: identities.orgs,
      agents: identities.agents,
      operators: identities.operators,
      recordTypes,
      findings: [...identities.findings, ...findings].map(shown),
    };
  }
}

/** The source may hold any characters, and the findings go to a terminal. */
const shown = (finding: Finding): Finding => ({
  ...finding,
  subject: printable(finding.subject),
  message: printable(finding.message),
});

const keysOf = async ({ keys }: ProvenKeys): Promise<KeyLookup> => {
  const imported = new Map(
    await Promise.all(
      keys.map(
        async ({ keyId, publicKey }) =>
          [keyId, await importVerificationKey(publicKeyFromSpki(publicKey))] as const,
      ),
    ),
  );
  return (keyId) => imported.get(keyId);
};
