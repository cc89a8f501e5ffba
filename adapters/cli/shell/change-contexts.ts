import type { Profile } from './profile.ts';
import { ProfileFile } from './profile-file.ts';
import { contextIn } from './session.ts';
import type { Answer } from './shell.ts';

/** The contexts of one profile. */
export class Contexts {
  private readonly file: ProfileFile;

  constructor(directory: string) {
    this.file = new ProfileFile(directory);
  }

  async list(): Promise<Answer> {
    return shown(await this.file.read());
  }

  async names(): Promise<Answer> {
    const names = [...(await this.file.read()).contexts.keys()];
    return { json: names, lines: names };
  }

  use(name: string): Promise<Answer> {
    return this.file.exclusively(async ({ profile, save }) => {
      contextIn(profile, name, this.file.path);
      const next = { ...profile, current: name };
      await save(next);
      return shown(next);
    });
  }

  remove(name: string): Promise<Answer> {
    return this.file.exclusively(async ({ profile, save }) => {
      contextIn(profile, name, this.file.path);
      const contexts = new Map([...profile.contexts].filter(([one]) => one !== name));
      const current = profile.current === name ? null : profile.current;
      await save({ current, contexts });
      return shown({ current, contexts });
    });
  }
}

const shown = ({ current, contexts }: Profile): Answer => {
  const rows = [...contexts].map(([name, { url, role, orgId, agentId, credential }]) => ({
    name,
    isCurrent: name === current,
    url,
    role,
    orgId,
    agentId,
    credential: credential.kind,
    expiresAt: credential.expiresAt,
  }));
  return {
    json: { current, contexts: rows },
    lines:
      rows.length === 0
        ? ['There is no context yet. Make one with: notary init']
        : rows.map(
            ({ name, isCurrent, url, role, credential, expiresAt }) =>
              `${isCurrent ? '*' : ' '} ${name.padEnd(20)}  ${role.padEnd(8)}  ${url}  ${credential}${expiresAt === null ? '' : `, until ${expiresAt}`}`,
          ),
  };
};
