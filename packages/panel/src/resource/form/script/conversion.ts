/** The texts of a form that a conversion to another script changes, and the conversion with its undo. */
import { type Field, fieldInScript, hasScripts, type Script, type ScriptLocale } from '@dala/model'
import type { Translate } from '../../../lib/format.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import type { ResourceForm } from '../use-resource-form.ts'
import { pathOf, writableFields } from '../values.ts'

export interface TextConversion {
  name: string
  field: Field
  before: string
  after: string
}

/** Fields of the form whose texts the user may convert. */
export const convertibleFields = (form: ResourceForm): [string, Field][] =>
  form.isLocked
    ? []
    : writableFields(form.resource).filter(([name, field]) => hasScripts(field) && !form.isReadOnly(name, field))

/**
 * Returns the texts of a language that a conversion changes.
 *
 * @param form - The form.
 * @param locale - The language of the texts.
 * @param script - The script to convert to.
 * @param onlyName - The only field to convert; all of them when absent.
 */
export function conversionsOf(
  form: ResourceForm,
  locale: ScriptLocale,
  script: Script,
  onlyName?: string,
): TextConversion[] {
  const texts = form.form.getValues().texts[locale] ?? {}
  return convertibleFields(form).flatMap(([name, field]) => {
    const before = texts[name]
    if (typeof before !== 'string' || (onlyName !== undefined && name !== onlyName)) return []
    const after = fieldInScript(field, before, locale, script)
    return after === before ? [] : [{ name, field, before, after }]
  })
}

interface Conversion {
  form: ResourceForm
  locale: ScriptLocale
  script: Script
  conversions: readonly TextConversion[]
}

/** Writes converted texts to the form's draft and offers the undo; texts typed since are left as they are. */
export function convertTexts({ form: { form, isOpen }, locale, script, conversions }: Conversion, t: Translate): void {
  const path = (name: string) => pathOf(`texts.${locale}.${name}`)
  for (const { name, after } of conversions) form.setValue(path(name), after, { shouldDirty: true })
  offerUndo({
    title: t(`script.done.${script}`, { count: conversions.length }),
    undo: () => {
      const unchangedTexts = isOpen()
        ? conversions.filter(({ name, after }) => form.getValues(path(name)) === after)
        : []
      for (const { name, before } of unchangedTexts) form.setValue(path(name), before, { shouldDirty: true })
      if (unchangedTexts.length === conversions.length) return Promise.resolve()
      showToast({ kind: 'error', title: t('script.changedSince') })
      return unchangedTexts.length > 0 ? Promise.resolve() : Promise.reject(new Error('the texts have changed since'))
    },
  })
}
