import { expect, it } from 'vitest';
import { printAnswer } from '../../../adapters/cli/shell/print-answer.ts';

const printed = (commands: readonly string[]): string => {
  let text = '';
  const io = {
    stdout: (part: string) => void (text += part),
    print: () => Promise.resolve(),
    stderr: () => undefined,
    isTTY: false,
  };
  const next = commands.map((command) => ({ command, description: 'do it' }));
  printAnswer(io, { json: {}, lines: ['done'], next }, false);
  return text;
};

const id = '01a00000-0000-7000-8000-000000000000';

it('commands that are possible next are shown to be copied', () => {
  const commands = [
    `notary export ${id} --evidence --out FILE`,
    `notary act ${id} counter-propose --context b.example`,
    `GET /v1/records/${id}/audit-export?evidence=true`,
  ];
  for (const command of commands) expect(printed([command])).toContain(`  ${command}`);
});

it.each([
  '$(id)',
  '`id`',
  '; id',
  '| id',
  '& id',
  '> file',
  "'",
  '"',
  '\\',
  '\n id',
  '!id',
  '*',
  '~',
  '#',
])('one with %j, which a shell reads as more than words, is not', (part) => {
  expect(printed([`notary show ${id}${part}`, 'notary list'])).toBe(
    'done\n\nNext:\n  notary list  do it\n',
  );
});
