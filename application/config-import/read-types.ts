import { NotaryError } from '../../domain/kernel/errors.ts';
import { examineManifest } from '../../domain/record-type/examine-manifest.ts';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import { manifestDigest, type Manifest } from '../../domain/record-type/manifest.ts';
import { SchemaFacts } from '../../domain/record-type/schema-facts.ts';
import type { SchemaValidators } from '../../domain/record-type/schema-validator.port.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { KeyLookup } from '../../domain/vault/open-entry.ts';
import { FollowedChain } from '../sealing/followed-chain.ts';
import {
  nameOfVersion,
  type CarriedOrg,
  type CarriedType,
  type Finding,
} from './carried-config.ts';
import type { ConfigSource, StoredType } from './config-source.port.ts';
import { unusable } from './read-identities.ts';
import type { UsableInput } from './usable-input.ts';
import type { WholeChains } from './whole-chains.ts';

type Held = Omit<CarriedType, 'id'>;

/** By what the chains of the source are judged. */
interface Judges {
  readonly keyOf: KeyLookup;
  readonly whole: Pick<WholeChains, 'faultOf'>;
}

/** Record types as the schema chains of their orgs say them; a manifest is the one whose digest was sealed. */
export class ReadTypes {
  constructor(
    private readonly usable: UsableInput,
    private readonly validators: SchemaValidators,
    private readonly gates: GateEvaluator,
  ) {}

  async read(
    source: ConfigSource,
    judges: Judges,
    orgs: readonly CarriedOrg[],
  ): Promise<{
    readonly recordTypes: readonly CarriedType[];
    readonly findings: readonly Finding[];
  }> {
    const findings: Finding[] = [];
    const rows = await rowsOf(source);
    const recordTypes: CarriedType[] = [];
    const owners = ownersOf(orgs);
    const digests = new Map<string, string>();
    for (const { id: orgId, slug } of orgs)
      for (const held of await this.heldBy(source, judges, orgId, slug, findings)) {
        const row = rows.get(rowKey(held));
        rows.delete(rowKey(held));
        const subject = `${nameOfVersion(held)} of ${slug}`;
        const known = digests.get(nameOfVersion(held)) ?? held.manifestDigest;
        const fault = owners.has(held.publisher)
          ? known === held.manifestDigest
            ? await this.faultOf(source, held, row)
            : unusable('recordType', subject, 'Another org holds another manifest of this name.')
          : unusable('recordType', subject, 'No org that is carried over has its publisher label.');
        if (fault) findings.push({ ...fault, subject });
        else {
          digests.set(nameOfVersion(held), held.manifestDigest);
          recordTypes.push({ ...held, id: row!.id });
        }
      }
    const carried = new Set(orgs.map(({ id }) => id));
    for (const row of rows.values())
      if (carried.has(row.orgId)) findings.push(rowUnknown(nameOfVersion(row)));
    return { recordTypes, findings };
  }

  private async heldBy(
    { chains }: ConfigSource,
    { keyOf, whole }: Judges,
    orgId: string,
    slug: string,
    findings: Finding[],
  ): Promise<readonly Held[]> {
    const chainKey = schemaChain(orgId);
    const chain = new FollowedChain(
      chainKey,
      chains,
      { keyOf },
      (before: SchemaFacts | null) => new SchemaFacts(before),
    );
    try {
      const facts = await chain.now();
      const fault = await whole.faultOf(chainKey);
      if (fault === null) return [...facts.held()].map((version) => ({ orgId, ...version }));
      findings.push(chainBroken(slug, fault));
    } catch (error) {
      if (!(error instanceof NotaryError) || error.members['reason'] !== 'payload_drift')
        throw error;
      findings.push(chainBroken(slug, null));
    }
    return [];
  }

  private async faultOf(
    source: ConfigSource,
    held: Held,
    row: StoredType | undefined,
  ): Promise<Omit<Finding, 'subject'> | null> {
    const manifest = row ? await source.manifest(row.id) : null;
    if (row && !this.usable.isId(row.id))
      return unusable('recordType', '', 'The id of its row is none that a hub gives.');
    if (!manifest) return MANIFEST_MISSING;
    if (digestOf(manifest) !== held.manifestDigest) return MANIFEST_ALTERED;
    try {
      const complete = this.usable.manifestOf(manifest);
      if (!isNamed(complete, held) || manifestDigest(complete) !== held.manifestDigest)
        return unusable('recordType', '', 'Its manifest is not complete, or has another name.');
      const [first] = await examineManifest(complete, this.validators.of(held.orgId), this.gates);
      return first ? unusable('recordType', '', `${first.path} ${first.message}.`) : null;
    } catch (error) {
      if (!(error instanceof NotaryError) || LATER.has(error.code)) throw error;
      return unusable('recordType', '', error.message);
    }
  }
}

/** Of refusals that say nothing of the manifest. */
const LATER: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMITED']);

/** The manifest of a version that is carried over, as its chain sealed it. @throws Error where the source changed. */
export const manifestOf = async (
  source: ConfigSource,
  { id, manifestDigest: digest }: CarriedType,
): Promise<Manifest> => {
  const manifest = await source.manifest(id);
  if (manifest && digestOf(manifest) === digest) return manifest;
  throw new Error(`the manifest ${id} changed in the source while it was read`);
};

/** Null where it has no canonical form. */
const digestOf = (manifest: Manifest): string | null => {
  try {
    return manifestDigest(manifest);
  } catch {
    return null;
  }
};

const isNamed = (manifest: Manifest, held: Held): boolean =>
  manifest.publisher === held.publisher &&
  manifest.type === held.type &&
  manifest.version === held.version;

const rowsOf = async (source: ConfigSource): Promise<Map<string, StoredType>> => {
  const rows = new Map<string, StoredType>();
  for await (const page of source.recordTypes()) for (const row of page) rows.set(rowKey(row), row);
  return rows;
};

const rowKey = ({ orgId, publisher, type, version }: Omit<StoredType, 'id' | 'manifestDigest'>) =>
  JSON.stringify([orgId, publisher, type, version]);

/** The labels that belong to somebody: slugs, and what orgs claimed. */
const ownersOf = (orgs: readonly CarriedOrg[]): ReadonlySet<string> =>
  new Set(orgs.flatMap(({ slug, publishers }) => [slug, ...publishers]));

const MANIFEST_MISSING = {
  code: 'manifest-missing',
  kind: 'recordType',
  message:
    'The chain says that the org holds it, and there is no row with a manifest that can be read, so it is left out. Register it again.',
  carried: false,
} as const;

const MANIFEST_ALTERED = {
  code: 'manifest-altered',
  kind: 'recordType',
  message:
    'The manifest in the row is not the one that was sealed, so it is left out: it was changed behind the service. Register it again.',
  carried: false,
} as const;

const rowUnknown = (subject: string): Finding => ({
  code: 'row-unknown',
  kind: 'recordType',
  subject,
  message:
    'The row has no entry that holds: it was added or put back behind the service, and is left out.',
  carried: false,
});

const chainBroken = (slug: string, fault: string | null): Finding => ({
  code: 'chain-broken',
  kind: 'recordType',
  subject: `every record type of ${slug}`,
  message: `The schema chain of the org does not verify${fault === null ? '' : ` (${fault})`}, so none of its record types is carried over. notary scan on the source says where.`,
  carried: false,
});
