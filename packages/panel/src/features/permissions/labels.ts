/** Labels of the permission matrix: roles, resources and operations. */
import { type Resource, resourceTitle } from '@dala/model'
import type { Translate } from '../../lib/format.ts'
import { firstTranslation } from '../../lib/i18n.ts'
import type { ColumnName, AccessDifference, Group, Line } from './matrix.ts'

export const columnLabel = (t: Translate, column: ColumnName): string =>
  column === 'consultant' ? t('role.consultant') : t(`roles.values.type.${column}`)

export const nameOfResource = (resource: Resource): string => firstTranslation([resourceTitle(resource)])

export const groupLabel = (t: Translate, { section }: Group): string =>
  section ? t(`section.${section}`) : t('permissions.others')

export const lineLabel = (t: Translate, { rules }: Line): string =>
  rules.map((rule) => t(`permissions.op.${rule}`)).join(', ')

export function differenceText(t: Translate, difference: AccessDifference): string {
  if (difference.kind === 'same' || difference.kind === 'other') return t(`permissions.diff.${difference.kind}`)
  return t(`permissions.diff.${difference.kind}`, { role: columnLabel(t, difference.column) })
}
