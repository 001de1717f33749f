/** Reads bodies of the routes of accounts: texts and nothing else (checklist §1). */
import { type Issue, validationFault } from '@dala/model'

/**
 * Reads texts from a body. In: the names that must be there. Out: them, exactly as they came.
 * Throws 400 with one entry each for what is missing, empty or no text (contract §2).
 */
export function readTexts<const N extends string>(body: unknown, names: readonly N[]): Record<N, string> {
  const given: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
  const issues: Issue[] = []
  const texts: Partial<Record<N, string>> = {}
  for (const field of names) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined
    if (typeof value === 'string' && value !== '') texts[field] = value
    else {
      const missing = value === undefined || value === null || value === ''
      issues.push({ path: [field], code: missing ? 'auth.credential-required' : 'validation.text', params: { field } })
    }
  }
  if (issues.length > 0 || !hasAll(texts, names)) throw validationFault(issues)
  return texts
}

function hasAll<N extends string>(texts: Partial<Record<N, string>>, names: readonly N[]): texts is Record<N, string> {
  return names.every((name) => texts[name] !== undefined)
}
