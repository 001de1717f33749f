/** The form of the organisation's settings, which saves all changes at once. */
import {
  type OrganisationKey,
  type OrganisationPicture,
  organisationSettings,
  type OrganisationState,
  type OrganisationValue,
} from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { setLogo } from '../../ui/logo.ts'
import { keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { FormNotice } from '../../resource/form/notices.tsx'
import { useSaveKey } from '../../resource/form/saving/use-save-key.ts'
import { LeaveQuestion } from '../../resource/leave-question.tsx'
import { Part } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { addEdit, checkEdits, type Edits, type Errors, refusedAt } from './edits.ts'
import { organisationQuery } from './queries.ts'
import { SettingRow } from './setting-row.tsx'

/** Parts of the form, in the order of the settings. */
const groups = [...new Set(Object.values(organisationSettings).map(({ group }) => group))]

const isPicture = (value: OrganisationValue | undefined): value is OrganisationPicture =>
  typeof value === 'object' && value !== null && 'url' in value

function useSave(onSaved: () => void, onRefused: (errors: Errors) => void) {
  const t = useT()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ version, edits }: { version: number; edits: Edits }) =>
      // The check of the edits has given each value the type of its setting.
      (await callRoute('PUT /api/organisation', { body: { data: { version, values: edits as object } } })).data,
    meta: { inPlace: true },
    onSuccess: (state) => {
      cache.setQueryData(organisationQuery.queryKey, state)
      const logo = state.settings.find(({ key }) => key === 'logo')?.value
      setLogo(isPicture(logo) ? logo.url : null)
      onSaved()
      showToast({ kind: 'success', title: t('organisation.saved') })
    },
    onError: (error) => onRefused(refusedAt(error)),
  })
}

/** `children` is what follows the settings, above the bar that saves them. */
export function SettingsForm({ state, children }: { state: OrganisationState; children: ReactNode }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const element = useRef<HTMLFormElement>(null)
  const [edits, setEdits] = useState<Edits>({})
  const [errors, setErrors] = useState<Errors>({})
  const isDirty = Object.keys(edits).length > 0
  const save = useSave(() => setEdits({}), setErrors)
  useSaveKey(element)
  // The first wrong field takes the focus.
  useEffect(() => {
    if (Object.keys(errors).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [errors])

  const edit = (setting: OrganisationState['settings'][number], value: OrganisationValue | null) => {
    setEdits((former) => addEdit(former, setting, value))
    setErrors((former) =>
      Object.fromEntries(Object.entries(former).filter(([path]) => path.split('.')[0] !== setting.key)),
    )
  }
  const discard = () => {
    setEdits({})
    setErrors({})
    save.reset()
  }
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault()
    if (!isDirty || save.isPending || obstacle) return
    const found = checkEdits(edits)
    setErrors(found)
    if (Object.keys(found).length === 0) save.mutate({ version: state.version, edits })
  }
  const reload = async () => {
    await cache.invalidateQueries({ queryKey: organisationQuery.queryKey })
    save.reset()
  }
  useCommands([
    {
      id: 'form.save',
      title: t('action.save'),
      keys: shortcuts.form.save.flatMap(keyCapsOf),
      run: submit,
      isActive: isDirty,
    },
  ])
  const isStale = save.error instanceof ApiError && save.error.code === 'record.stale'
  const isShownInPlace = Object.keys(refusedAt(save.error)).length > 0
  return (
    <form
      ref={element}
      noValidate
      onSubmit={submit}
      className="flex flex-col md:min-h-[calc(100dvh-var(--top-h)-40px)]"
    >
      <div className="mb-8 grid gap-4 max-md:mb-24">
        {groups.map((group) => (
          <Part key={group} title={t(`organisation.groups.${group}`)}>
            <div>
              {state.settings
                .filter(({ key }) => organisationSettings[key].group === group)
                .map((setting) => (
                  <SettingRow
                    key={setting.key}
                    state={setting}
                    edit={edits[setting.key satisfies OrganisationKey]}
                    errors={errors}
                    onEdit={(value) => edit(setting, value)}
                  />
                ))}
            </div>
          </Part>
        ))}
        {children}
      </div>
      <div className="save-bar border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
        {save.error && !isShownInPlace ? (
          <div className="mb-3">
            <FormNotice
              tone="danger"
              action={isStale ? <Button onClick={() => void reload()}>{t('organisation.load')}</Button> : undefined}
            >
              {isStale ? t('organisation.stale') : messageOfFailure(save.error)}
            </FormNotice>
          </div>
        ) : null}
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
          <output className="flex min-w-40 flex-1 items-center gap-2.5 text-muted max-md:text-sm">
            <i aria-hidden className={cx('size-2 shrink-0 rounded-full', isDirty ? 'bg-warning' : 'bg-line-strong')} />
            <span className="leading-tight">{obstacle ?? t(isDirty ? 'form.unsaved' : 'form.saved')}</span>
          </output>
          {isDirty ? (
            <Button kind="quiet" disabled={save.isPending && t('form.isSaving')} onClick={discard}>
              {t('form.discard')}
            </Button>
          ) : null}
          <Button
            kind={isDirty ? 'primary' : 'plain'}
            type="submit"
            isBusy={save.isPending}
            disabled={obstacle ?? (!isDirty && t('form.nothingChanged'))}
            icon={<Check size={17} aria-hidden />}
          >
            {t('action.save')}
          </Button>
        </div>
      </div>
      <LeaveQuestion isUnsaved={() => isDirty && !save.isPending} onUnload={isDirty} onLeave={discard} />
    </form>
  )
}
