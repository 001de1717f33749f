/** Converts the errors of a schema to issues with codes of the error catalogue. */
import type * as z from 'zod'
import type { ErrorCode, FaultParams, Issue } from '../../errors/errors.ts'

interface FoundIssue {
  code: ErrorCode
  params?: FaultParams
}

const codesByType: Readonly<Record<string, ErrorCode>> = {
  string: 'validation.text',
  number: 'validation.number',
  int: 'validation.integer',
  boolean: 'validation.boolean',
}

const isNullOrUndefined = (input: unknown) => input === undefined || input === null

function hasErrorCode(params: unknown): params is FoundIssue {
  return typeof params === 'object' && params !== null && 'code' in params
}

/** Tells whether an input's key that names its shape matched no shape. */
const isUnmatchedShape = (
  zodIssue: z.core.$ZodIssueInvalidUnion,
): zodIssue is z.core.$ZodIssueInvalidUnion & { options: unknown[] } =>
  'options' in zodIssue && zodIssue.options !== undefined

function codeOfIssue(zodIssue: z.core.$ZodIssue): FoundIssue {
  switch (zodIssue.code) {
    case 'custom':
      return hasErrorCode(zodIssue.params) ? zodIssue.params : { code: 'validation.json' }
    case 'invalid_type':
      return {
        code: isNullOrUndefined(zodIssue.input)
          ? 'validation.required'
          : (codesByType[zodIssue.expected] ?? 'validation.json'),
      }
    case 'invalid_value':
      return isNullOrUndefined(zodIssue.input)
        ? { code: 'validation.required' }
        : { code: 'validation.choice', params: { values: zodIssue.values.map(String).join(', ') } }
    case 'invalid_union':
      return isUnmatchedShape(zodIssue)
        ? { code: 'validation.choice', params: { values: zodIssue.options.map(String).join(', ') } }
        : { code: isNullOrUndefined(zodIssue.input) ? 'validation.required' : 'validation.json' }
    case 'too_big':
      if (zodIssue.origin === 'string')
        return { code: 'validation.maxLength', params: { max: Number(zodIssue.maximum) } }
      if (zodIssue.origin === 'array') return { code: 'validation.maxItems', params: { max: Number(zodIssue.maximum) } }
      return { code: 'validation.max', params: { max: Number(zodIssue.maximum) } }
    case 'too_small':
      if (zodIssue.origin === 'string' || zodIssue.origin === 'array') return { code: 'validation.required' }
      return { code: 'validation.min', params: { min: Number(zodIssue.minimum) } }
    default:
      return { code: 'validation.json' }
  }
}

/**
 * Converts the errors of a schema to issues.
 *
 * @param error - The error of a schema that was parsed with `reportInput`.
 * @returns One issue for each error; paths omit the envelope `data`.
 * @example
 * const { error } = text(5).safeParse('  ', { reportInput: true })
 * if (error) toIssues(error)[0]?.code // 'validation.required'
 */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.map((zodIssue) => {
    const keys = zodIssue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
    const path = keys.length === 0 ? ['data'] : keys.length > 1 && keys[0] === 'data' ? keys.slice(1) : keys
    const { code, params } = codeOfIssue(zodIssue)
    const field = path.findLast((key): key is string => typeof key === 'string') ?? ''
    return { path, code, params: { field, ...params } }
  })
}
