/** The service cannot start. The message lists everything that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly SettingProblem[]) {
    super(
      [
        'The configuration is not valid:',
        ...problems.map((problem) => `  ${problem.name}: ${problem.message}`),
      ].join('\n'),
    );
  }
}

export interface SettingProblem {
  readonly name: string;
  readonly message: string;
}
