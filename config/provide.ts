import type { ContainerModuleLoadOptions, ServiceIdentifier } from 'inversify';

/** The tokens of a constructor's parameters, in order. */
type TokensOf<Parameters extends readonly unknown[]> = {
  [Index in keyof Parameters]: ServiceIdentifier<Parameters[Index]>;
};

/** Binds a plain class once for the process. The tokens are checked against the constructor by the compiler. */
export const provide = <T, Parameters extends unknown[]>(
  { bind }: ContainerModuleLoadOptions,
  token: ServiceIdentifier<T>,
  type: new (...parameters: Parameters) => T,
  parameters: TokensOf<Parameters>,
): void => {
  bind(token)
    .toResolvedValue(
      (...values: unknown[]) => new type(...(values as Parameters)),
      parameters as unknown as ServiceIdentifier<unknown>[] as never,
    )
    .inSingletonScope();
};

/** Binds whatever a function makes of other things. */
export const provideBy = <T, Parameters extends unknown[]>(
  { bind }: ContainerModuleLoadOptions,
  token: ServiceIdentifier<T>,
  make: (...parameters: Parameters) => T,
  parameters: TokensOf<Parameters>,
): void => {
  bind(token)
    .toResolvedValue(
      (...values: unknown[]) => make(...(values as Parameters)),
      parameters as unknown as ServiceIdentifier<unknown>[] as never,
    )
    .inSingletonScope();
};
