/** Tries a question on the rules: who would get it now or at another time, and why the others would not. */
import { localeNames, locales, resources } from '@dala/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import Route from 'lucide-react/icons/route'
import { useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { RelatedInput } from '../../fields/relation/related-input.tsx'
import { narrowQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { DateTimeInput } from '../../ui/inputs/date-time-input.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { RouteDetails } from './route-details.tsx'
import { nameOfRouted, toTrial, type TriedQuestion } from './route-text.ts'

const { routingrules } = resources
const unknownOption = 'unknown'

/** Query of a trial. Its key is one of the rules, so that a change of a rule tries again. */
const trialQuery = (data: NonNullable<ReturnType<typeof toTrial>>) =>
  queryOptions({
    queryKey: ['resource', routingrules.name, 'try', data],
    queryFn: async ({ signal }) => (await callRoute('POST /api/routing/try', { body: { data }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { inPlace: true },
  })

/** Panel beside the list of rules. */
export function TryQuestionSheet() {
  const t = useT()
  return (
    <Sheet aria-label={t('routing.try')} className="p-4">
      <h2 className="mb-1 font-semibold">{t('routing.try')}</h2>
      <TryQuestion />
    </Sheet>
  )
}

/** Button for narrow windows, which have no space beside the list. */
export function TryQuestionButton() {
  const t = useT()
  const isNarrow = useMedia(narrowQuery)
  if (!isNarrow) return null
  return (
    <Popover
      title={t('routing.try')}
      trigger={
        <button type="button" className={buttonClass('plain')}>
          <Route size={18} aria-hidden />
          <span data-word="">{t('routing.try')}</span>
        </button>
      }
    >
      {() => <TryQuestion />}
    </Popover>
  )
}

function TryQuestion() {
  const t = useT()
  const [question, setQuestion] = useState<TriedQuestion>({
    category: null,
    region: null,
    language: unknownOption,
    at: null,
  })
  const edit = (change: Partial<TriedQuestion>) => setQuestion((formerQuestion) => ({ ...formerQuestion, ...change }))
  const body = toTrial(question)
  const [lastBody, setLastBody] = useState(body)
  // While a time is being typed, the answer for the last valid one stays.
  if (body && JSON.stringify(body) !== JSON.stringify(lastBody)) setLastBody(body)
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{t('routing.about')}</p>
      <div className="grid gap-3">
        <Field label={labelOf(routingrules, 'category')}>
          <RelatedInput
            field={routingrules.fields.category}
            value={question.category}
            onChange={(category) => edit({ category })}
          />
        </Field>
        <Field label={labelOf(routingrules, 'region')}>
          <RelatedInput
            field={routingrules.fields.region}
            value={question.region}
            onChange={(region) => edit({ region })}
          />
        </Field>
        <Field label={labelOf(routingrules, 'language')}>
          <Select
            value={question.language}
            onValueChange={(language) => edit({ language })}
            choices={[
              { value: unknownOption, label: t('chat.noLanguage') },
              ...locales.map((value) => ({ value, label: localeNames[value], lang: value })),
            ]}
          />
        </Field>
        <Field group label={t('routing.at')} help={t('routing.atHelp')}>
          <DateTimeInput value={question.at} onValueChange={(askedAt) => edit({ at: askedAt })} />
        </Field>
      </div>
      {lastBody ? <Answer body={lastBody} /> : null}
    </div>
  )
}

function Answer({ body }: { body: NonNullable<ReturnType<typeof toTrial>> }) {
  const t = useT()
  const answer = useQuery(trialQuery(body))
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <LoadedPart query={answer}>
        {(route) => (
          <>
            <output className="font-semibold wrap-anywhere">
              {route.person ? t('routing.goesTo', { name: nameOfRouted(t, route.person) }) : t('routing.goesToQueue')}
            </output>
            <RouteDetails route={route} />
          </>
        )}
      </LoadedPart>
    </div>
  )
}
