/** Plans the save of a form: the calls for all changes, and the check of their values. */
import {
  type Entry,
  type Field,
  isLink,
  isLocale,
  isScalar,
  isToOne,
  type Locale,
  locales,
  type Resource,
  validateRecord,
  type ValidationMode,
} from '@dala/model'
import {
  type LanguageFamily,
  type FormValues,
  hasText,
  isEntry,
  nameOfField,
  type TouchedFields,
  type Values,
} from '../values.ts'

/**
 * Values of a form as the API takes them: links as ids, and an empty text as null. Two empty codes would
 * count as duplicates.
 */
function wireValue(field: Field, value: unknown): unknown {
  if (!isLink(field)) return value === '' && isScalar(field) && !field.required ? null : value
  if (isToOne(field)) return isEntry(value) ? value.id : (value ?? null)
  return Array.isArray(value) ? value.map((item: unknown) => (isEntry(item) ? item.id : item)) : []
}

function wireValues(resource: Resource, values: Values, names?: ReadonlySet<string>): Values {
  const convertedValues: Values = {}
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name]
    if (field && (!names || names.has(name))) convertedValues[name] = wireValue(field, value)
  }
  return convertedValues
}

/** API call of a form's planned save. */
export type SaveStep =
  | { kind: 'create'; locale: Locale | undefined; draft: Values }
  | { kind: 'translate'; locale: Locale; draft: Values }
  | { kind: 'update'; locale: Locale | undefined; id: number; draft: Values }

/** Planned save: its values are sent even if the user types on. */
export interface SavePlan {
  values: FormValues
  touchedFields: TouchedFields
  /**
   * Language of the save: the visible one; for a new record that was sent before, the language it was sent
   * in.
   */
  language: Locale
  /** Record of the form on the server; null for a new record. */
  record: Entry | null
  steps: readonly SaveStep[]
}

/**
 * Plans the calls that save the changes of a form. No call invalidates the version of the next one: texts of
 * other languages come first, because they raise only their own version, then shared fields with the visible
 * language.
 *
 * @param resource - The resource with the fields that the user writes.
 * @param values - The values of the form.
 * @param touchedFields - The changed fields.
 * @param languageFamily - The languages on the server.
 * @param language - The visible language.
 * @param record - The record on the server; null for a new one.
 * @returns The calls in order.
 */
export function planSave(
  resource: Resource,
  values: FormValues,
  touchedFields: TouchedFields,
  languageFamily: LanguageFamily,
  language: Locale,
  record: Entry | null,
): SaveStep[] {
  const sharedDraft = wireValues(resource, values.shared, touchedFields.shared)
  const hasSharedChanges = Object.keys(sharedDraft).length > 0
  if (!resource.localized) {
    if (!record) return [{ kind: 'create', locale: undefined, draft: wireValues(resource, values.shared) }]
    return hasSharedChanges
      ? [{ kind: 'update', locale: undefined, id: record.id, draft: { ...sharedDraft, version: record.version } }]
      : []
  }

  const steps: SaveStep[] = []
  const homeLanguage = record ? language : firstLanguage(values, touchedFields, language)
  const textsOf = (locale: Locale, includesAll: boolean) =>
    wireValues(
      resource,
      values.texts[locale] ?? {},
      includesAll ? undefined : (touchedFields.texts.get(locale) ?? new Set()),
    )
  const otherLocales = locales.filter((locale) => locale !== homeLanguage && touchedFields.texts.has(locale))
  for (const locale of otherLocales) {
    const member = languageFamily.get(locale)
    if (member)
      steps.push({
        kind: 'update',
        locale,
        id: member.id,
        draft: { ...textsOf(locale, false), version: member.version },
      })
    else if (hasText(values.texts[locale])) steps.push({ kind: 'translate', locale, draft: textsOf(locale, true) })
  }

  if (!record) {
    const firstStep: SaveStep = {
      kind: 'create',
      locale: homeLanguage,
      draft: { ...wireValues(resource, values.shared), ...textsOf(homeLanguage, true), locale: homeLanguage },
    }
    return [firstStep, ...steps]
  }
  const member = languageFamily.get(language)
  const isLanguageTouched = touchedFields.texts.has(language)
  if (member && (hasSharedChanges || isLanguageTouched)) {
    steps.push({
      kind: 'update',
      locale: language,
      id: member.id,
      draft: { ...sharedDraft, ...textsOf(language, false), version: member.version },
    })
  } else if (!member && isLanguageTouched && hasText(values.texts[language])) {
    steps.push({ kind: 'translate', locale: language, draft: { ...sharedDraft, ...textsOf(language, true) } })
  } else if (hasSharedChanges) {
    // Changed fields that all languages share are sent with a language that has no changed text, else with
    // the last request.
    const [locale, freeMember] = [...languageFamily].find(([candidate]) => !touchedFields.texts.has(candidate)) ?? []
    const lastStep = steps.at(-1)
    if (freeMember)
      steps.push({ kind: 'update', locale, id: freeMember.id, draft: { ...sharedDraft, version: freeMember.version } })
    else if (lastStep) lastStep.draft = { ...sharedDraft, ...lastStep.draft }
  }
  return steps
}

/** The language of a new record: the visible one, unless text was typed only in another one. */
function firstLanguage({ texts }: FormValues, touchedPlaces: TouchedFields, language: Locale): Locale {
  if (hasText(texts[language])) return language
  return locales.find((locale) => touchedPlaces.texts.has(locale) && hasText(texts[locale])) ?? language
}

/** Names of the form's fields that have marks, at any depth. */
function markedFieldNames(marks: unknown): Set<string> {
  const entries = typeof marks === 'object' && marks !== null ? Object.entries(marks) : []
  return new Set(entries.filter(([, mark]) => hasMark(mark)).map(([name]) => name))
}

function hasMark(mark: unknown): boolean {
  if (mark === true) return true
  return typeof mark === 'object' && mark !== null && Object.values(mark).some(hasMark)
}

/** Changed fields of the record, from the form's own marks. */
export function touchedFieldsOf({ shared, texts }: { shared?: unknown; texts?: object }): TouchedFields {
  const languages = Object.entries(texts ?? {}).flatMap(([locale, marks]) => {
    const names = markedFieldNames(marks)
    return isLocale(locale) && names.size > 0 ? [[locale, names] as const] : []
  })
  return { shared: markedFieldNames(shared), texts: new Map(languages) }
}

/** Marks all values of the form as typed, to create a deleted record again. */
export function markAllFields({ shared, texts }: FormValues): TouchedFields {
  const writtenLanguages = locales.filter((locale) => hasText(texts[locale]))
  return {
    shared: new Set(Object.keys(shared)),
    texts: new Map(writtenLanguages.map((locale) => [locale, new Set(Object.keys(texts[locale] ?? {}))])),
  }
}

/** Wrong field of the form: its name in the form's values, and the code of the error catalogue. */
export interface FormIssue {
  name: string
  code: string
  params: Readonly<Record<string, string | number>>
  /** The text of the server is used for an error code without a message in the panel. */
  message?: string
}

/**
 * Checks the calls of a save in every language that they write, with the server's own `validate`.
 *
 * @param resource - The resource with the fields that the user writes.
 * @param steps - The calls.
 * @param language - The visible language.
 * @returns All issues, those of the visible language first.
 */
export function checkSteps(resource: Resource, steps: readonly SaveStep[], language: Locale): FormIssue[] {
  const check = (locale: Locale | undefined, mode: ValidationMode, draft: Values): FormIssue[] =>
    validateRecord(resource, draft, mode, { asForm: true }).issues.map(({ path, code, params }) => {
      const field = String(path[0])
      return { name: nameOfField(resource, field, locale), code, params: params ?? {} }
    })
  const issues = steps
    .toSorted((a, b) => Number(b.locale === language) - Number(a.locale === language))
    .flatMap((step) => check(step.locale, step.kind, step.draft))
  return [...new Map(issues.map((issue) => [issue.name, issue])).values()]
}
