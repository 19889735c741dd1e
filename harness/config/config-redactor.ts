import { redactor, type NamedSecret, type Redact } from '../../service/redact.ts';
import { Brand } from '../../specs/brand.ts';
import { secretsOf, type ResolvedConfig } from './settings.ts';

/** Makes the function that redacts the secrets of a config, and further ones. */
export function configRedactor(config: ResolvedConfig, others: readonly NamedSecret[] = []): Redact {
  return redactor([...secretsOf(config), ...others], Brand.named(config.brand).keyPrefix);
}
