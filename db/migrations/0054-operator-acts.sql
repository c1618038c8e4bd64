-- What operators do in the console: append-only, one entry per act. Each entry contains the hash of the previous one.
create table console.acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator_id bigint not null references console.operators,
  -- The name at the time of the act.
  operator_name text not null,
  -- The id of the call: `decideClaim`.
  action text not null check (length(action) between 1 and 60),
  -- The program that it was about; null: the installation.
  partner_id text,
  object_type text not null,
  object_id text not null,
  object_label text not null default '',
  member_id bigint,
  reason text not null default '',
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  -- HTTP status of the response; an act that was refused has one from 400.
  status smallint not null,
  address text not null,
  request_id text not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32)
);
create index acts_by_program on console.acts (partner_id, id);
create index acts_by_operator on console.acts (operator_id, id);
create index acts_by_object on console.acts (object_type, object_id, id);
create index acts_by_member on console.acts (partner_id, member_id, id) where member_id is not null;
create index acts_by_action on console.acts (action, id);
grant select, insert on console.acts to dineback_console;

-- The operator who works on a claim.
alter table claims add column owner_id bigint;

-- Replies that operators send to members often, with the decision that they belong to.
create table claim_reply_templates (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  name text not null check (length(name) between 1 and 80),
  code text not null,
  words text not null check (length(words) between 1 and 500),
  created_at timestamptz not null default now()
);
create unique index claim_reply_templates_by_name on claim_reply_templates (partner_id, lower(name));
call enable_tenant_isolation('claim_reply_templates');
grant select, insert, update, delete on claim_reply_templates to dineback_app;
