/** The button in the part of letters that sends a test letter to the user, after a question. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { useT } from '../../lib/i18n.ts'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { PartButton } from './part-button.tsx'
import { stateQuery } from './queries.ts'

export function TestLetter() {
  const t = useT()
  const cache = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const sending = useMutation({
    mutationFn: () => callRoute('POST /api/system/test-letter', {}),
    meta: { inPlace: true },
    onSuccess: () => {
      setIsOpen(false)
      return cache.invalidateQueries({ queryKey: stateQuery.queryKey })
    },
  })
  const setOpen = (open: boolean) => {
    sending.reset()
    setIsOpen(open)
  }
  return (
    <>
      <PartButton onClick={() => setOpen(true)}>{t('system.letters.test')}</PartButton>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t('system.letters.testTitle')}
        description={t('system.letters.testText')}
        confirmLabel={t('system.letters.testSend')}
        isBusy={sending.isPending}
        failure={sending.error ? messageOfFailure(sending.error) : undefined}
        onConfirm={() => sending.mutate()}
      />
    </>
  )
}
