-- 0017-library: generated from the model; read it before it is committed.

alter table "uploads" add column "sha256" varchar(255);
alter table "uploads" add column "crop" jsonb;
alter table "uploads" add column "original_id" integer;
alter table "uploads" add constraint "uploads_original_id_fkey" foreign key ("original_id") references "uploads" on delete set null;
create index "uploads_sha256_idx" on "uploads" ("sha256");
create index "uploads_original_id_idx" on "uploads" ("original_id");
