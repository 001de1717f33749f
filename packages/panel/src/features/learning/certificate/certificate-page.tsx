/** The public page that checks the number of a certificate, typed or from its address (e-learning §7). */
import { formatCertificateNumber, readCertificateNumber } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import CircleX from 'lucide-react/icons/circle-x'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callRoute } from '../../../api/route.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { formatDate } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useWait } from '../../../resource/retry-after.ts'
import { WaitNote } from '../../../resource/wait-note.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { Input } from '../../../ui/inputs/input.tsx'

/**
 * Query of a certificate by its number. Unknown numbers count for a limit, so the query is never repeated by
 * itself.
 */
const certificateQuery = (number: string, locale: ReturnType<typeof useLocale>) =>
  queryOptions({
    queryKey: ['certificate', number, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/certificates/:number', { params: { number }, query: { locale }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { inPlace: true },
  })

export function CertificatePage() {
  const t = useT()
  const { number = '' }: { number?: string } = useParams({ strict: false })
  const title = t('certificate.page')
  useDocumentTitle(title)
  return (
    <>
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.012em]">{title}</h1>
      <p className="mt-1 mb-7 text-muted">{t('certificate.page.text')}</p>
      {/* The number in a new address replaces the typed number. */}
      <CertificateForm key={number} number={number} />
    </>
  )
}

function CertificateForm({ number }: { number: string }) {
  const t = useT()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const requestedNumber = readCertificateNumber(number)
  const [typedNumber, setTyped] = useState(
    requestedNumber === undefined ? number : formatCertificateNumber(requestedNumber),
  )
  const [isChecked, setChecked] = useState(number !== '')
  const storedNumber = readCertificateNumber(typedNumber)
  const error = !isChecked || storedNumber !== undefined ? undefined : typedNumber.trim() === '' ? 'required' : 'typo'
  const submitNumber = (event: SubmitEvent) => {
    event.preventDefault()
    setChecked(true)
    if (storedNumber === undefined) input.current?.focus()
    if (storedNumber !== undefined) void navigate({ to: `/certificate/${storedNumber}` })
  }
  return (
    <>
      <form noValidate onSubmit={submitNumber} className="grid gap-5">
        <Field
          label={t('certificate.page.field')}
          help={t('certificate.page.help')}
          error={error && t(error === 'required' ? 'validation.required' : 'certificate.page.typo')}
        >
          <Input
            ref={input}
            value={typedNumber}
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            onChange={(event) => {
              setTyped(event.target.value)
              setChecked(false)
            }}
          />
        </Field>
        <Button type="submit" kind="primary">
          {t('certificate.page.submit')}
        </Button>
      </form>
      <div aria-live="polite" className="mt-6">
        {requestedNumber === undefined ? null : <CertificateAnswer number={requestedNumber} />}
      </div>
    </>
  )
}

function CertificateAnswer({ number }: { number: string }) {
  const t = useT()
  const { data, error, isFetching, refetch } = useQuery(certificateQuery(number, useLocale()))
  const wait = useWait(error)
  if (data)
    return (
      <section className="rounded-3 border border-line bg-success-soft p-4 text-success-text">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          <BadgeCheck size={20} aria-hidden className="shrink-0" />
          {t('certificate.page.valid')}
        </h2>
        <dl className="mt-3 grid gap-2.5">
          {(
            [
              [t('learning.learners.name'), data.name],
              [t('courses.one'), data.course],
              [t('certificate.page.date'), formatDate(data.date)],
              [t('certificate.page.field'), formatCertificateNumber(number)],
            ] as const
          ).map(([label, value]) => (
            <div key={label}>
              <dt className="text-sm">{label}</dt>
              <dd className="font-semibold wrap-anywhere text-ink">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    )
  if (isFetching || !error) return null
  if (wait > 0) return <WaitNote seconds={wait} />
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <section className="grid gap-1 rounded-3 border border-line bg-danger-soft p-4 text-danger-text">
      <h2 className="flex items-center gap-2 text-lg font-semibold">
        <CircleX size={20} aria-hidden className="shrink-0" />
        {t(isUnknown ? 'certificate.page.invalid' : 'certificate.page.failed')}
      </h2>
      <p>{isUnknown ? t('certificate.page.invalidText') : messageOfFailure(error)}</p>
      {isUnknown ? null : (
        <p className="mt-2">
          <Button onClick={() => void refetch()}>{t('action.retry')}</Button>
        </p>
      )}
    </section>
  )
}
