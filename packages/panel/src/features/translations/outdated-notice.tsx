/** Notice above a translation whose source has changed: the translation may still be correct. */
import type { Locale, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useT } from '../../lib/i18n.ts'
import { FormNotice } from '../../resource/form/notices.tsx'
import type { ResourceForm } from '../../resource/form/use-resource-form.ts'
import { Button } from '../../ui/button.tsx'

interface OutdatedNoticeProps {
  screen: Screen
  form: ResourceForm
  locale: Locale
  fields: readonly string[]
}

/**
 * Saving a text unchanged confirms that it was compared with its source (docs/architecture.md, Translations).
 */
export function OutdatedNotice({ screen, form, locale, fields }: OutdatedNoticeProps) {
  const t = useT()
  const cache = useQueryClient()
  const queries = resourceQueries(screen.resource)
  const member = form.family.get(locale)
  const [firstField] = fields.filter((name) => form.rights.mayWriteField(name))
  const confirm = useMutation({
    mutationFn: async () => {
      if (!member || firstField === undefined) return
      const storedText = form.form.formState.defaultValues?.texts?.[locale]?.[firstField]
      const draft = { [firstField]: storedText, version: member.version }
      await (screen.resource.single ? queries.saveSingleType(locale, draft) : queries.update(member.id, draft))
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  return (
    <div className="mb-5">
      <FormNotice
        tone="info"
        action={
          <Button
            isBusy={confirm.isPending}
            disabled={form.isDirty && t('desk.saveFirst')}
            onClick={() => confirm.mutate()}
          >
            {t('desk.stillRight')}
          </Button>
        }
      >
        {t('desk.isOutdated')}
      </FormNotice>
    </div>
  )
}
