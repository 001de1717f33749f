/** Shows issues of the form at their fields, in the user's language. */
import { labelOfCode, type MessageId } from '@dala/model'
import type { UseFormReturn } from 'react-hook-form'
import { hasMessage, t } from '../../../lib/i18n.ts'
import { type FormValues, pathOf } from '../values.ts'
import type { FormIssue } from './plan.ts'

/** Message of a form's issue in the user's language. */
function messageOf({ code, params, message = '' }: FormIssue): string {
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label satisfies MessageId, params) : message
}

export function showIssues(form: UseFormReturn<FormValues>, issues: readonly FormIssue[]): void {
  for (const issue of issues) form.setError(pathOf(issue.name), { type: issue.code, message: messageOf(issue) })
}
