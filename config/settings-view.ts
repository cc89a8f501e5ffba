import type { Setting } from './setting-types.ts';
import { SETTINGS, type SettingName, type Settings } from './settings-table.ts';

/** One setting on the reference page. */
export interface SettingDescription {
  readonly name: SettingName;
  readonly type: Setting<unknown>['type'];
  readonly default: string;
  readonly unit: string | null;
  readonly secret: boolean;
  readonly allowed: string;
  readonly description: string;
}

/** The whole table, for the documentation. */
export const describeSettings = (): readonly SettingDescription[] =>
  entries().map(([name, setting]) => ({
    name,
    type: setting.type,
    default:
      setting.defaultText ??
      (setting.fallback === null
        ? 'unset'
        : Array.isArray(setting.fallback)
          ? setting.fallback.join(',') || 'none'
          : String(setting.fallback)),
    unit: setting.unit,
    secret: setting.secret,
    allowed: setting.allowed,
    description: setting.description,
  }));

export type MaskedSettings = {
  readonly [N in SettingName]: string | number | boolean | readonly string[] | null;
};

/**
 * The settings in force, without secrets: a secret shows only whether it is set, and a database URL
 * hides its password.
 */
export const maskedSettings = (settings: Settings): MaskedSettings =>
  Object.fromEntries(
    entries().map(([name, setting]) => [name, masked(setting, settings[name])]),
  ) as MaskedSettings;

const masked = (setting: Setting<unknown>, value: Settings[SettingName]): unknown => {
  if (setting.secret) return value === null || value === '' ? null : '********';
  if (setting.type === 'url' && typeof value === 'string') {
    return value
      .replace(/^(\s*(?:mysql|rediss?):\/\/[^:/?#]*):.*@/i, '$1:********@')
      .replace(/([?&]\w*passw\w*=)[^&]*/gi, '$1********');
  }
  return value;
};

const entries = (): readonly (readonly [SettingName, Setting<unknown>])[] =>
  Object.entries(SETTINGS) as [SettingName, Setting<unknown>][];
