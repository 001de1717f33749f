-- rolling-update: yes
-- 0062-test-letters: the audit line of a test letter that an owner sends to their own address.

alter table "audit" drop constraint "audit_action_check";
alter table "audit" add constraint "audit_action_check" check ("action" in ('record.create', 'record.update', 'record.remove', 'record.restore', 'sign-in', 'sign-in.failed', 'sign-in.throttled', 'sign-out', 'register', 'password.forgot', 'password.refused', 'password.reset', 'password.change', 'email.change', 'two-step.on', 'two-step.off', 'two-step.refused', 'two-step.recovery', 'two-step.reset', 'session.end', 'sessions.end', 'user.invite', 'user.block', 'user.unblock', 'user.password-letter', 'access.denied', 'export', 'report.export', 'report.share', 'report.withdraw', 'report.schedule', 'report.unschedule', 'backup.take', 'backup.prove', 'organisation.change', 'letter.test'));
