-- What an operator has asked for and a second one decides, such as a large credit. The payload is what will be done; it is
-- carried out in the transaction of the decision.
create table console.approvals (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  kind text not null check (length(kind) between 1 and 60),
  payload jsonb not null,
  -- What it is about, where only one request may wait: the id of a claim.
  subject text check (length(subject) between 1 and 100),
  -- In words, for the person who decides. Without the name of a member.
  summary text not null check (length(summary) between 1 and 300),
  reason text not null check (length(reason) between 3 and 200),
  member_id bigint,
  state text not null default 'open' check (state in ('open', 'approved', 'refused')),
  asked_by bigint not null references console.operators,
  asked_at timestamptz not null default now(),
  decided_by bigint references console.operators,
  decided_at timestamptz,
  decision_reason text not null default '',
  -- Nobody decides what they have asked for.
  check (decided_by <> asked_by),
  check ((state = 'open') = (decided_by is null)),
  check ((decided_by is null) = (decided_at is null))
);
create index approvals_by_state on console.approvals (partner_id, state, asked_at, id);
create unique index approvals_by_subject on console.approvals (partner_id, kind, subject) where state = 'open' and subject is not null;
create index approvals_by_member on console.approvals (partner_id, member_id, id) where member_id is not null;
grant select, insert on console.approvals to dineback_console;
grant update (state, decided_by, decided_at, decision_reason) on console.approvals to dineback_console;
