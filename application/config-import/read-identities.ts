import type { Agent } from '../../domain/identity/agent.ts';
import type { ConfigFacts } from '../../domain/identity/config-facts.ts';
import { SYSTEM_ORG_SLUG, type Org } from '../../domain/identity/org.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { CarriedAgent, CarriedOrg, Finding } from './carried-config.ts';
import type { ConfigSource, StoredRow } from './config-source.port.ts';
import type { UsableInput } from './usable-input.ts';

export interface Identities {
  readonly orgs: readonly CarriedOrg[];
  readonly agents: readonly CarriedAgent[];
  readonly operators: number;
  readonly findings: readonly Finding[];
}

/** Orgs, labels and agents as the platform chain says them, and where the rows say something else. */
export const readIdentities = async (
  source: ConfigSource,
  facts: ConfigFacts,
  usable: UsableInput,
): Promise<Identities> => {
  const findings: Finding[] = [];
  const sealed = [...facts.orgs];
  const systemId = sealed.find(({ slug }) => slug === SYSTEM_ORG_SLUG)?.id;
  const orgs = usableOrgs(
    sealed.filter(({ id }) => id !== systemId),
    facts,
    usable,
    findings,
  );
  const byId = new Map(orgs.map((org) => [org.id, org]));
  const orgIds = new Set(sealed.map(({ id }) => id));
  await compareRows(source.orgs(), 'org', orgIds, findings, (id, row) => {
    const org = byId.get(id);
    return org === undefined || agreesOrg(row, org);
  });
  const agents = new Map<string, CarriedAgent>();
  let operators = 0;
  for (const agent of facts.agents) {
    if (agent.orgId === systemId) operators++;
    else
      unlessUnusable('agent', String(agent.id), findings, () => {
        const carried = usable.agentOf(agent, null);
        if (!byId.has(carried.orgId))
          throw new NotaryError('UNPROCESSABLE', 'Its org is not carried over.');
        agents.set(carried.id, carried);
      });
  }
  const agentIds = new Set([...facts.agents].map(({ id }) => id));
  await compareRows(source.agents(), 'agent', agentIds, findings, (id, row, mac) => {
    const agent = agents.get(id);
    if (agent === undefined) return true;
    if (!agreesAgent(row, agent)) return false;
    if (mac === 'holds') agents.set(id, { ...agent, displayName: row.displayName });
    else if (mac === 'unknown' && row.displayName !== agent.name)
      findings.push(displayNameUnproven(id));
    return true;
  });
  return { orgs, agents: [...agents.values()], operators, findings };
};

const usableOrgs = (
  sealed: Iterable<Parameters<UsableInput['orgOf']>[0]>,
  facts: ConfigFacts,
  usable: UsableInput,
  findings: Finding[],
): readonly CarriedOrg[] => {
  const orgs: CarriedOrg[] = [];
  const slugs = new Set<string>();
  const labels = new Map<string, string[]>();
  for (const [label, orgId] of facts.publishers)
    labels.set(orgId, [...(labels.get(orgId) ?? []), label]);
  for (const one of sealed)
    unlessUnusable('org', String(one.id), findings, () => {
      const org = usable.orgOf(one);
      if (slugs.has(org.slug))
        throw new NotaryError('UNPROCESSABLE', `Another org has the slug ${org.slug}.`);
      slugs.add(org.slug);
      orgs.push({ ...org, publishers: labels.get(org.id) ?? [] });
    });
  return orgs.map((org) => ({
    ...org,
    publishers: org.publishers.filter((label) => {
      const isUsable = usable.isLabel(label) && !slugs.has(label);
      if (!isUsable) findings.push(unusable('publisher', label, 'It is no label, or a slug.'));
      return isUsable;
    }),
  }));
};

/** @param agrees whether the row says what is carried over. */
const compareRows = async <Row extends Org | Agent>(
  pages: AsyncIterable<readonly StoredRow<Row>[]>,
  kind: 'org' | 'agent',
  sealed: ReadonlySet<unknown>,
  findings: Finding[],
  agrees: (id: string, row: Row, mac: StoredRow<Row>['mac']) => boolean,
): Promise<void> => {
  const missing = new Set(sealed);
  for await (const page of pages)
    for (const { id, value, mac } of page) {
      missing.delete(id);
      if (!sealed.has(id)) findings.push(rowUnknown(kind, id));
      else if (value === null || mac === 'broken' || !agrees(id, value, mac))
        findings.push(rowEdited(kind, id));
    }
  for (const id of missing) findings.push(rowMissing(kind, String(id)));
};

const agreesOrg = (row: Org, org: CarriedOrg): boolean =>
  row.slug === org.slug &&
  row.name === org.name &&
  row.settings.requireCoSignature === org.settings.requireCoSignature;

const agreesAgent = (row: Agent, agent: CarriedAgent): boolean =>
  row.orgId === agent.orgId &&
  row.name === agent.name &&
  JSON.stringify(row.capabilities) === JSON.stringify(agent.capabilities) &&
  (row.deactivatedAt !== null) === agent.isDeactivated;

const unlessUnusable = (
  kind: Finding['kind'],
  subject: string,
  findings: Finding[],
  take: () => void,
): void => {
  try {
    take();
  } catch (error) {
    if (!(error instanceof NotaryError)) throw error;
    findings.push(unusable(kind, subject, error.message));
  }
};

export const unusable = (kind: Finding['kind'], subject: string, why: string): Finding => ({
  code: 'unusable',
  kind,
  subject,
  message: `This release does not take it, so it is left out. ${why}`,
  carried: false,
});

const rowEdited = (kind: Finding['kind'], subject: string): Finding => ({
  code: 'row-edited',
  kind,
  subject,
  message:
    'The row is not what the service wrote last: it was changed behind the service. What its platform chain says counts.',
  carried: true,
});

const rowMissing = (kind: Finding['kind'], subject: string): Finding => ({
  code: 'row-missing',
  kind,
  subject,
  message:
    'There is no row any more: it was deleted behind the service. What its platform chain says counts.',
  carried: true,
});

const rowUnknown = (kind: Finding['kind'], subject: string): Finding => ({
  code: 'row-unknown',
  kind,
  subject,
  message: 'The row has no entry: it was added behind the service, and is left out.',
  carried: false,
});

const displayNameUnproven = (subject: string): Finding => ({
  code: 'display-name-unproven',
  kind: 'agent',
  subject,
  message:
    'Its display name stands in its row alone, under a SECRETS_KEY that is not at hand. Its name is taken instead; give --source-secrets-key to keep it.',
  carried: true,
});
