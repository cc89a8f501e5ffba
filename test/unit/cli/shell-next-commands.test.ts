import { describe, expect, it } from 'vitest';
import { nextCommands, otherSide } from '../../../adapters/cli/shell/next-commands.ts';
import { createProgram, type Commands } from '../../../adapters/cli/program.ts';
import type { Context } from '../../../adapters/cli/shell/profile.ts';
import { ACTION_TABLE } from '../../../domain/record/actions.ts';

const id = '01a00000-0000-7000-8000-000000000000';

describe('the commands that are possible next', () => {
  it('are there for every action that the guidance knows, and are commands that there are', async () => {
    let help = '';
    const io = {
      stdout: (text: string) => void (help += text),
      print: () => Promise.resolve(),
      stderr: () => undefined,
      isTTY: false,
    };
    await createProgram({} as Commands, io, '0').run(['--help']);
    for (const { action, description } of ACTION_TABLE) {
      const step = { action, method: 'POST' as const, href: `/v1/records/${id}/x`, description };
      const [next] = nextCommands(id, [step], { flag: ' --context b' });
      const [program, name] = next!.command.split(' ');
      expect([action, program]).toEqual([action, 'notary']);
      expect(help).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
      expect(next!.command).toMatch(/ --context b$/);
      expect(next!.command).toContain(id);
    }
  });

  it('name the context of the other side, where it is of the same service', () => {
    const context = (agentId: string, url = 'https://a.example'): Context => ({
      url,
      agentId,
      fingerprint: null,
      role: 'agent',
      orgId: null,
      directory: null,
      credential: { kind: 'api-key', apiKey: 'k', keyId: 'i', expiresAt: null },
    });
    const contexts = new Map([
      ['elsewhere', context('two', 'https://b.example')],
      ['one', context('one')],
      ['two', context('two')],
    ]);
    const session = {
      context: contexts.get('one')!,
      profile: { current: 'one', contexts },
      url: 'https://a.example',
    };
    const record = { id, principalAgentId: 'one', performerAgentId: 'two' };
    expect(otherSide({ ...record, awaiting: 'performer' }, session)).toMatchObject([
      { command: `notary show ${id} --context two` },
    ]);
    expect(otherSide({ ...record, awaiting: 'principal' }, session)).toEqual([]);
    expect(otherSide({ ...record, awaiting: null }, session)).toEqual([]);
  });
});
