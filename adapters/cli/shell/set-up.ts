import { NotaryProblem } from '../../client/notary-problem.ts';
import type { NotaryClient } from '../../client/notary-client.ts';
import type { Context, StoredApiKey } from './profile.ts';
import type { HeldProfile } from './profile-file.ts';
import { clientOf, credentialOf } from './session.ts';
import { FILE_TYPE } from './notarize.ts';
import { ShellError } from './shell-error.ts';

/** Of what is made, and how it is called. */
export interface SetUpNames {
  /** The context of the agent; those of the administrator and of the platform are called after it. */
  readonly context: string;
  readonly org: string;
  readonly agent: string;
}

/** The service that contexts are made of. */
export interface SetUpPlace {
  readonly url: string;
  readonly fingerprint: string;
  readonly directory: string | null;
}

/** A context that is good, with its name. */
interface Made {
  readonly name: string;
  readonly context: Context;
  readonly client: NotaryClient;
}

/**
 * Makes what somebody needs to begin: an org, its administrator, an agent with a key, a first record type. What is there and
 * good stays as it is, so it may be run again at any time; a key that ended is replaced.
 */
export class SetUp {
  constructor(
    private readonly held: HeldProfile,
    private readonly place: SetUpPlace,
    private readonly names: SetUpNames,
    /** Another platform key, where the host is this one. */
    private readonly platformKey: (() => Promise<StoredApiKey>) | null,
  ) {}

  /** @param given a key that was brought: of the platform, an administrator or an agent. */
  async run(given: string | null): Promise<Made> {
    if (given !== null) {
      const brought = await this.keep(given);
      if (brought.context.role === 'agent') return brought;
    }
    const admin = await this.admin();
    await registerFileType(admin.client);
    return this.agent(admin);
  }

  /** The context that a key opens, kept under the name of its role. */
  private async keep(apiKey: string): Promise<Made> {
    const client = clientOf(this.place.url, apiKey);
    const caller = await client.whoami();
    const { role, orgId, ownerId, apiKeyId } = caller;
    const suffix = role === 'agent' ? '' : `-${role}`;
    return this.save(this.nameOf(role) ?? `${this.names.context}${suffix}`, {
      role,
      orgId: orgId ?? null,
      agentId: ownerId ?? null,
      credential: { kind: 'api-key', apiKey, keyId: apiKeyId ?? '', expiresAt: null },
    });
  }

  private async platform(): Promise<Made> {
    const known = await this.good(this.nameOf('platform'));
    if (known) return known;
    if (!this.platformKey)
      throw new ShellError(
        `A key of the service at ${this.place.url} is needed, of the platform or of an administrator: give it in NOTARY_API_KEY, or on standard input with --key-stdin.`,
      );
    return this.save(this.nameOf('platform') ?? `${this.names.context}-platform`, {
      role: 'platform',
      orgId: null,
      agentId: null,
      credential: await this.platformKey(),
    });
  }

  private async admin(): Promise<Made> {
    const name = this.nameOf('admin');
    const known = await this.good(name);
    if (known) return known;
    const platform = await this.platform();
    const before = name === null ? undefined : this.held.profile.contexts.get(name);
    if (name !== null && before?.orgId && before.agentId)
      return this.save(name, {
        ...before,
        credential: await minted(platform.client, 'admin', before.agentId, this.names.agent),
      });
    const org = await platform.client.orgs.create({ name: this.names.org, bootstrapAdmin: true });
    const { bootstrapKey } = org;
    if (!bootstrapKey?.apiKey)
      throw new ShellError(
        'The answer with the new admin key was lost on its way: run this again.',
        1,
      );
    const { apiKey, keyId, ownerId, expiresAt } = bootstrapKey;
    return this.save(`${this.names.context}-admin`, {
      role: 'admin',
      orgId: org.id,
      agentId: ownerId,
      credential: { kind: 'api-key', apiKey, keyId, expiresAt: expiresAt ?? null },
    });
  }

  private async agent(admin: Made): Promise<Made> {
    const { context: name, agent } = this.names;
    const known = await this.good(name);
    if (known) return known;
    const { orgId } = admin.context;
    if (orgId === null) throw new ShellError(`The context ${admin.name} belongs to no org.`, 1);
    const before = this.held.profile.contexts.get(name);
    const agentId =
      before?.agentId ?? (await admin.client.agents.create({ name: agent, orgId })).id;
    return this.save(name, {
      role: 'agent',
      orgId,
      agentId,
      credential: await minted(admin.client, 'agent', agentId, `notary init, ${name}`),
    });
  }

  /** A context whose credential the service takes; null where there is none. */
  private async good(name: string | null): Promise<Made | null> {
    const context = name === null ? undefined : this.held.profile.contexts.get(name);
    if (!context || name === null) return null;
    if (!this.isHere(context)) throw elsewhere(name, context);
    const client = clientOf(this.place.url, await credentialOf(context));
    try {
      await client.whoami();
    } catch (error) {
      if (error instanceof NotaryProblem && error.status === 401) return null;
      throw error;
    }
    return { name, context, client };
  }

  private nameOf(role: string): string | null {
    for (const [name, context] of this.held.profile.contexts)
      if (context.role === role && role !== 'agent' && this.isHere(context)) return name;
    return null;
  }

  private isHere({ url, directory }: Context): boolean {
    return url === this.place.url && directory === this.place.directory;
  }

  private async save(
    name: string,
    context: Omit<Context, 'url' | 'fingerprint' | 'directory'>,
  ): Promise<Made> {
    const { profile } = this.held;
    const before = profile.contexts.get(name);
    if (before && !this.isHere(before)) throw elsewhere(name, before);
    const whole: Context = { ...context, ...this.place };
    const contexts = new Map(profile.contexts).set(name, whole);
    const isFirstAgent = whole.role === 'agent' && profile.current === null;
    await this.held.save({ current: isFirstAgent ? name : profile.current, contexts });
    return {
      name,
      context: whole,
      client: clientOf(this.place.url, await credentialOf(whole)),
    };
  }
}

const elsewhere = (name: string, { url }: Context): ShellError =>
  new ShellError(
    `The context ${name} is of the service ${url}. Name another one: --context NAME`,
    2,
  );

const minted = async (
  client: NotaryClient,
  role: 'admin' | 'agent',
  ownerId: string,
  label: string,
): Promise<StoredApiKey> => {
  const { apiKey, keyId, expiresAt } = await client.keys.mint({
    role,
    ownerType: 'agent',
    ownerId,
    label,
  });
  if (!apiKey)
    throw new ShellError(
      `The answer with the new key ${keyId} was lost on its way: run this again.`,
      1,
    );
  return { kind: 'api-key', apiKey, keyId, expiresAt: expiresAt ?? null };
};

/** What `notary notarize --digest` seals. An org that has a type of this name already keeps it. */
const registerFileType = async ({ types }: NotaryClient): Promise<void> => {
  try {
    await types.register({
      type: FILE_TYPE,
      title: 'A file, by its SHA-256',
      completionSchema: {},
      criteriaSchema: {
        type: 'object',
        required: ['name', 'bytes', 'sha256'],
        properties: {
          name: { type: 'string', maxLength: 1024 },
          bytes: { type: 'integer', minimum: 0 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
        additionalProperties: false,
      },
    });
  } catch (error) {
    if (!(error instanceof NotaryProblem && error.status === 409)) throw error;
  }
};
