import { Argument, type Command } from 'commander';
import type { Io } from './io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const HELP = `
bash:  notary completion bash > ~/.local/share/bash-completion/completions/notary
zsh:   notary completion zsh > a directory of $fpath, as _notary
fish:  notary completion fish > ~/.config/fish/completions/notary.fish`;

/** `notary completion SHELL`: made of the commands themselves, so it knows each of them. */
export const addCompletionCommand = (program: Command, io: Io): void => {
  program
    .command('completion')
    .description('print what a shell needs to complete the commands and options of notary')
    .addArgument(new Argument('<shell>', 'to print it for').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => io.stdout(SCRIPTS[shell](nodesOf(program))));
};

interface Word {
  readonly text: string;
  readonly description: string;
}

/** What may follow the words of a path. */
interface Node {
  /** `` for the program itself, `keys mint` for a command below another. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Of its arguments. */
  readonly choices: readonly string[];
  /** Whether its argument is a context of the profile, as the value of `--context` is everywhere. */
  readonly takesContext: boolean;
}

const CONTEXT_ARGUMENT: ReadonlySet<string> = new Set(['contexts use', 'contexts remove']);
/** Prints a name a line, and nothing where there is no profile. */
const NAMES = 'notary contexts list --names 2>/dev/null';

const nodesOf = (command: Command, path: readonly string[] = []): readonly Node[] => {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => command.commands.includes(one));
  const node: Node = {
    path: path.join(' '),
    commands: below.map((one) => ({ text: one.name(), description: oneLine(one.description()) })),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description }) =>
        long ? [{ text: long, description: oneLine(description) }] : [],
      ),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesContext: CONTEXT_ARGUMENT.has(path.join(' ')),
  };
  return [node, ...below.flatMap((one) => nodesOf(one, [...path, one.name()]))];
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const wordsOf = ({ commands, options, choices }: Node): string =>
  [...commands.map(({ text }) => text), ...choices, ...options.map(({ text }) => text)].join(' ');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The path is what of the words before the cursor names commands; options and their values are passed over. */
const bash = (nodes: readonly Node[]): string => `# bash completion of notary
_notary() {
  local path='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$path\${path:+ }$word" in
      ${nodes.flatMap(({ path }) => (path ? [quoted(path)] : [])).join(' | ')}) path="$path\${path:+ }$word" ;;
    esac
  done
  case "$path" in
${nodes.map((node) => `    ${quoted(node.path)}) words=${quoted(wordsOf(node))}${node.takesContext ? `" $(${NAMES})"` : ''} ;;`).join('\n')}
  esac
  [[ \${COMP_WORDS[COMP_CWORD - 1]} != --context ]] || words=$(${NAMES})
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _notary notary
`;

const zsh = (nodes: readonly Node[]): string => `#compdef notary
_notary() {
  local at='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at\${at:+ }$word" in
      (${nodes.flatMap(({ path }) => (path ? [quoted(path)] : [])).join('|')}) at="$at\${at:+ }$word" ;;
    esac
  done
  case "$at" in
${nodes.map((node) => `    (${quoted(node.path)}) offered=(${wordsOf(node)}${node.takesContext ? ` \${(f)"$(${NAMES})"}` : ''}) ;;`).join('\n')}
  esac
  [[ "\${words[CURRENT-1]}" != --context ]] || offered=(\${(f)"$(${NAMES})"})
  compadd -a offered
  [[ -z "$at" ]] || _files
}
if [[ "\${funcstack[1]}" = _notary ]]; then _notary "$@"; else compdef _notary notary; fi
`;

const fish = (nodes: readonly Node[]): string => {
  const lines = nodes.flatMap((node) => {
    const here = `-n ${quoted(`__notary_at ${quoted(node.path)}`)}`;
    return [
      ...node.commands.map(
        ({ text, description }) =>
          `complete -c notary ${here} -f -a ${quoted(text)} -d ${quoted(description)}`,
      ),
      ...node.choices.map((text) => `complete -c notary ${here} -f -a ${quoted(text)}`),
      ...(node.takesContext ? [`complete -c notary ${here} -f -a ${quoted(`(${NAMES})`)}`] : []),
      ...node.options.map(
        ({ text, description }) =>
          `complete -c notary ${here} -l ${quoted(text.slice(2))}${text === '--context' ? ` -x -a ${quoted(`(${NAMES})`)}` : ''} -d ${quoted(description)}`,
      ),
    ];
  });
  const paths = nodes.flatMap(({ path }) => (path ? [quoted(path)] : []));
  return `# fish completion of notary
function __notary_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$at $word")
    contains -- $next ${paths.join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
};

const SCRIPTS: { readonly [shell in Shell]: (nodes: readonly Node[]) => string } = {
  bash,
  zsh,
  fish,
};
