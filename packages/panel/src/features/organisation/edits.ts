/** Unsaved changes of the organisation's settings, and the check of them before they are sent. */
import {
  checkOrganisationValue,
  type OrganisationKey,
  organisationSettings,
  type OrganisationState,
  type OrganisationValue,
} from '@dala/model'
import { ApiError } from '../../api/api-error.ts'
import { issueMessage } from '../../lib/issue-message.ts'

/** Changed values by key; null returns a setting to its default. */
export type Edits = { readonly [K in OrganisationKey]?: OrganisationValue | null }
/** Messages of wrong values by the path in the form: `login_throttle.seconds`. */
export type Errors = Readonly<Record<string, string>>

interface FoundIssue {
  path: readonly (string | number)[]
  code: string
  params: Readonly<Record<string, string | number>>
}

/** The form asks for the time of a limit in minutes, so its bounds are shown in minutes too. */
function messageOf({ path, code, params }: FoundIssue): string {
  const inMinutes = ([name, value]: [string, string | number]) => [name, typeof value === 'number' ? value / 60 : value]
  return issueMessage(
    code,
    path.at(-1) === 'seconds'
      ? (Object.fromEntries(Object.entries(params).map(inMinutes)) as FoundIssue['params'])
      : params,
    code,
  )
}

const errorsOf = (issues: readonly FoundIssue[]): Errors =>
  Object.fromEntries(issues.map((issue) => [issue.path.join('.'), messageOf(issue)]))

/** Checks changed values as the server does. */
export function checkEdits(edits: Edits): Errors {
  const keys = Object.keys(edits) as OrganisationKey[]
  return errorsOf(
    keys.flatMap((key) => {
      const value = edits[key]
      if (value === null) return []
      return checkOrganisationValue(organisationSettings[key], value).map((issue) => ({
        ...issue,
        params: issue.params ?? {},
        path: [key, ...issue.path],
      }))
    }),
  )
}

/** The errors of a refused change by the path in the form; none for another failure. */
export const refusedAt = (error: unknown): Errors => (error instanceof ApiError ? errorsOf(error.issues) : {})

/** Adds a change; one that equals the present state of its setting is none. */
export function addEdit(
  edits: Edits,
  { key, value: present, source }: OrganisationState['settings'][number],
  value: OrganisationValue | null,
): Edits {
  const { [key]: _former, ...others } = edits
  const isSame = value === null ? source === 'default' : JSON.stringify(value) === JSON.stringify(present)
  return isSame ? others : { ...others, [key]: value }
}
