/** Text for bounded rights in the user's language: which records, which card, which fields. */
import { type AccessBound, describeBound, type AccessGrant, type Resource, resources } from '@dala/model'
import { labelOf } from '../../fields/field-display.tsx'
import type { Translate } from '../../lib/format.ts'
import { hasMessage, firstTranslation } from '../../lib/i18n.ts'

/** Joins several conditions in one sentence; nested ones with another conjunction are in brackets. */
function joinBounds(t: Translate, parts: readonly AccessBound[], joiner: 'and' | 'or'): string {
  const texts = parts.map((partialBound) => {
    const boundText = boundLabel(t, partialBound)
    return 'all' in partialBound || 'any' in partialBound ? `(${boundText})` : boundText
  })
  return texts.reduce((joinedText, addedText) => t(`bounds.${joiner}`, { one: joinedText, other: addedText }))
}

function boundLabel(t: Translate, accessBound: AccessBound): string {
  if ('all' in accessBound) return joinBounds(t, accessBound.all, 'and')
  if ('any' in accessBound) return joinBounds(t, accessBound.any, 'or')
  const values = {
    field: accessBound.fields.map(firstTranslation).join(', '),
    value: accessBound.values
      .map(firstTranslation)
      .reduce(
        (joinedText, addedText) =>
          joinedText === '' ? addedText : t('bounds.or', { one: joinedText, other: addedText }),
        '',
      ),
  }
  const key = accessBound.candidates.find(hasMessage)
  return key === undefined ? values.field : t(key, values)
}

/** Sentences for the bounds of a right, one for each bound; empty if it has no bounds. */
export function boundsOf(t: Translate, grant: AccessGrant, resource: Resource): string[] {
  if (grant === true) return []
  // Joins the labels of fields; a field and its older wire name have the same label.
  const names = (fields: readonly string[]) => [...new Set(fields.map((name) => labelOf(resource, name)))].join(', ')
  return [
    ...(grant.rows ? [t('bounds.rows', { rows: boundLabel(t, describeBound(grant.rows, resource, resources)) })] : []),
    ...(grant.card ? [t('bounds.card', { fields: names(resource.card ?? []) })] : []),
    ...(grant.fields ? [t('bounds.fields', { fields: names(grant.fields) })] : []),
  ]
}
