/** The page of a consultation: the question, its answer in place, and beside them its details and people. */
import { type Entry, isLocale, resources, screensOf, writtenLocale } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import CaseSensitive from 'lucide-react/icons/case-sensitive'
import { useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { galleryPictureOf } from '../../fields/picture/picture.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { useOtherScript } from '../../resource/script/use-other-script.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { GalleryButton } from '../../ui/overlays/gallery.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { AnswerSheet } from './answer-sheet.tsx'
import { DetailsSheet } from './details-sheet.tsx'
import { isRecord, consultationPermissions } from './consultation-permissions.ts'
import { StatusChip, statusOf } from './status-chip.tsx'
import { type ReasonedStep, ReasonDialog } from './step-dialogs.tsx'
import { useLiveRecord } from './use-live-record.ts'
import { WaitChip } from '../../ui/wait-chip.tsx'
import { waitOf } from './wait.ts'

const { consultations, users, regions, districts } = resources
const [consultationScreen] = screensOf(consultations)

function useConsultationPermissions(record: Entry) {
  const { data: me } = useQuery(meQuery)
  return me && { me, permissions: consultationPermissions(record, { ...callerRoleOf(me), id: me.id }) }
}

/** State of a consultation in one line. */
function Line({ record }: { record: Entry }) {
  const now = useNow()
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <StatusChip status={statusOf(record.status)} />
      <WaitChip wait={waitOf(record)} now={now} />
    </span>
  )
}

function Overview({ record }: OverviewProps) {
  const reader = useConsultationPermissions(record)
  useLiveRecord(record.id)
  if (!reader) return null
  const { me, permissions } = reader
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 gap-5">
        <Question record={record} />
        <AnswerSheet key={record.id} record={record} user={me.id} permissions={permissions} />
      </div>
      <DetailsSheet record={record} permissions={permissions} />
    </div>
  )
}

function Question({ record }: { record: Entry }) {
  const t = useT()
  const titleOfUser = useTitleOf(users)
  const titleOfRegion = useTitleOf(regions)
  const titleOfDistrict = useTitleOf(districts)
  const lang = isLocale(record.language) ? record.language : undefined
  const question = String(record.question)
  const script = useOtherScript(`question/${record.id}`, question, lang)
  const other = script.converted ?? script.find()
  const details = [
    isRecord(record.user) ? titleOfUser(record.user) : undefined,
    isRecord(record.region) ? titleOfRegion(record.region) : undefined,
    isRecord(record.district) ? titleOfDistrict(record.district) : undefined,
    formatDateTime(String(record.createdAt)),
  ]
  return (
    <Sheet hasPadding className="grid gap-3">
      <h2 className="text-lg font-semibold">{labelOf(consultations, 'question')}</h2>
      <p
        lang={script.converted ? writtenLocale(script.converted.locale, script.converted.script) : lang}
        aria-live="polite"
        className="max-w-[68ch] text-lg leading-read wrap-anywhere whitespace-pre-wrap"
      >
        {script.converted?.text ?? question}
      </p>
      {other ? (
        <LinkButton
          icon={<CaseSensitive size={18} aria-hidden />}
          className="justify-self-start"
          onClick={script.toggle}
        >
          {t(script.converted ? 'script.showWritten' : `script.show.${other.script}`)}
        </LinkButton>
      ) : null}
      <p className="text-sm text-muted">{details.filter(Boolean).join(' · ')}</p>
      <Pictures record={record} />
    </Sheet>
  )
}

function Pictures({ record }: { record: Entry }) {
  const t = useT()
  const attachments: unknown[] = Array.isArray(record.attachments) ? record.attachments : []
  const pictures = [record.image, ...attachments].filter(isRecord)
  if (pictures.length === 0) return null
  const altTextOf = ({ id, name }: Entry) => t('a11y.imageAlt', { name: typeof name === 'string' ? name : id })
  const galleryPictures = pictures.flatMap((picture) => galleryPictureOf(picture, altTextOf(picture)) ?? [])
  return (
    <ul className="flex flex-wrap gap-2.5">
      {pictures.map((picture, index) => (
        <li key={picture.id}>
          <GalleryButton pictures={galleryPictures} index={index}>
            <CoverPicture file={picture} width={144} alt={altTextOf(picture)} className="size-36 rounded-2 bg-sunken" />
          </GalleryButton>
        </li>
      ))}
    </ul>
  )
}

const reasonedSteps = ['finish', 'reopen', 'noReply'] as const

function Actions({ record }: OverviewProps) {
  const t = useT()
  const reader = useConsultationPermissions(record)
  const [openDialog, setOpenDialog] = useState<ReasonedStep | null>(null)
  if (!reader) return null
  const { permissions } = reader
  const step = permissions.mayFinish ? 'finish' : permissions.mayReopen ? 'reopen' : undefined
  const closeDialog = () => setOpenDialog(null)
  return (
    <>
      {permissions.isDesk ? <NextUnanswered record={record} /> : null}
      {permissions.mayEndWait ? <Button onClick={() => setOpenDialog('noReply')}>{t('chat.noReply')}</Button> : null}
      {step ? (
        // One button both finishes and reopens a consultation, so that the dialog can return the focus to it.
        <Button onClick={() => setOpenDialog(step)}>{t(step === 'finish' ? 'action.finish' : 'action.reopen')}</Button>
      ) : null}
      {reasonedSteps.map((name) => (
        <ReasonDialog
          key={`${name}-${openDialog === name}`}
          name={name}
          record={record}
          open={openDialog === name}
          onClose={closeDialog}
        />
      ))}
    </>
  )
}

/** Button that opens the next unanswered question, and after the last one the oldest. */
function NextUnanswered({ record }: { record: Entry }) {
  const t = useT()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [isSearching, setBusy] = useState(false)
  const findUnansweredQuestion = async (isLater: boolean) => {
    const filters = {
      answered_at: { $null: true },
      finished_at: { $null: true },
      id: { $ne: record.id },
      ...(isLater && { createdAt: { $gt: String(record.createdAt) } }),
    }
    const query = {
      filters,
      fields: ['question'],
      sort: 'createdAt:asc',
      pagination: { pageSize: 1, withCount: false },
    }
    const { entries } = await cache.query({ ...resourceQueries(consultations).list(query), staleTime: 0 })
    return entries[0]
  }
  const goToNextQuestion = async () => {
    setBusy(true)
    try {
      const nextQuestion = (await findUnansweredQuestion(true)) ?? (await findUnansweredQuestion(false))
      if (nextQuestion && consultationScreen) await navigate(recordAddress(consultationScreen, nextQuestion.id))
      else showToast({ kind: 'success', title: t('consultation.noneLeft') })
    } catch {
      // A failed search for the next consultation shows a toast, and the button can be pressed again.
      showToast({ kind: 'error', title: t('list.failed'), text: t('error.unknown.message') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      isBusy={isSearching}
      icon={<ArrowRight size={16} aria-hidden className="mirrored" />}
      onClick={() => void goToNextQuestion()}
    >
      {t('consultation.nextUnanswered')}
    </Button>
  )
}

export const consultationOverview: OverviewSlots = {
  titleOf: (t, record) => t('consultation.number', { id: record.id }),
  Line,
  Overview,
  Actions,
}
