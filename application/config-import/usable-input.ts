import type { TObject } from 'typebox';
import { isUuid, ZERO_UUID } from '../../domain/kernel/ids.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import {
  DEFAULT_ORG_SETTINGS,
  RESERVED_SLUGS,
  type OrgSettings,
} from '../../domain/identity/org.ts';
import type { SealedAgent, SealedOrg } from '../../domain/identity/config-facts.ts';
import {
  MAX_PUBLISHER_LABEL,
  RESERVED_PUBLISHER_LABELS,
  TYPE_NAME_PATTERN,
} from '../../domain/record-type/manifest.ts';
import type { InputCheck, PartCheck } from '../call/input-check.port.ts';
import { createAgent, deactivateAgent } from '../identity/agent-admin-operations.ts';
import { createOrg } from '../identity/org-operations.ts';
import { manifestCheck, type ManifestCheck } from '../record-type/manifest-check.ts';
import type { CarriedAgent, CarriedOrg } from './carried-config.ts';

/**
 * Holds what another hub sealed against what callers of this one may send: a hub with keys of somebody else may have
 * sealed anything.
 */
export class UsableInput {
  private readonly org: PartCheck;
  private readonly agent: PartCheck;
  private readonly deactivation: PartCheck;
  /** @throws NotaryError */
  readonly manifestOf: ManifestCheck;

  constructor(inputs: InputCheck) {
    const checkOf = (noun: string, schema: TObject): PartCheck =>
      inputs.prepare({ noun, memberNoun: 'member', schema, hasHelp: false });
    this.org = checkOf('The org', createOrg.input);
    this.agent = checkOf('The agent', createAgent.input);
    this.deactivation = checkOf('The deactivation', deactivateAgent.input);
    this.manifestOf = manifestCheck(inputs);
  }

  /** @throws NotaryError that says why it is none. */
  orgOf({ id, slug, name, settings, position }: SealedOrg): Omit<CarriedOrg, 'publishers'> {
    assertId(id);
    const sent = { slug, name, ...(isEmpty(settings) ? {} : { settings }) };
    const checked = this.org(sent) as { name: string; slug: string; settings?: OrgSettings };
    if (RESERVED_SLUGS.has(checked.slug))
      throw new NotaryError('UNPROCESSABLE', `The slug ${checked.slug} is reserved.`);
    return {
      id,
      slug: checked.slug,
      name: checked.name,
      settings: { ...DEFAULT_ORG_SETTINGS, ...checked.settings },
      position,
    };
  }

  /** @throws NotaryError */
  agentOf(sealed: SealedAgent, displayName: string | null): CarriedAgent {
    const { id, orgId, name, capabilities, isDeactivated, deactivationReason, position } = sealed;
    assertId(id);
    const sent = { name, orgId, capabilities, ...(displayName === null ? {} : { displayName }) };
    const checked = this.agent(sent) as Omit<CarriedAgent, 'displayName'> & {
      readonly displayName?: string;
    };
    if (deactivationReason !== null) this.deactivation({ agentId: id, reason: deactivationReason });
    return {
      id,
      orgId: checked.orgId,
      name: checked.name,
      displayName: checked.displayName ?? checked.name,
      capabilities: [...new Set(checked.capabilities)],
      isDeactivated,
      deactivationReason: deactivationReason as string | null,
      position,
    };
  }

  /** No entry says the id of a record type: it stands in the row alone. */
  isId(id: string): boolean {
    return isUuid(id) && id !== ZERO_UUID;
  }

  isLabel(label: string): boolean {
    return (
      LABEL.test(label) &&
      label.length <= MAX_PUBLISHER_LABEL &&
      !RESERVED_PUBLISHER_LABELS.has(label)
    );
  }
}

const LABEL = new RegExp(TYPE_NAME_PATTERN, 'u');

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0;

function assertId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || !isUuid(id) || id === ZERO_UUID)
    throw new NotaryError('UNPROCESSABLE', 'Its id is none that a hub gives.');
}
