-- Sessions are listed, told apart and ended by their member; a remembered one changes its id once a day.
alter table sessions
  add column public_id uuid not null unique default gen_random_uuid(),
  add column began_with text not null default 'visit'
    check (began_with in ('visit', 'join', 'password', 'passkey', 'sso')),
  -- "Chrome on Windows": what a browser says of itself, shortened.
  add column device text not null default '' check (length(device) <= 80),
  -- When the member last proved who they are; what cannot be undone asks for it anew.
  add column proven_at timestamptz not null default now(),
  add column previous_hash bytea unique check (length(previous_hash) = 32),
  add column renewed_at timestamptz not null default now(),
  -- Of the partner's identity provider: its own name for the session, and what signing out there needs.
  add column sso_session text,
  add column id_token text;
update sessions set began_with = 'password' where member_id is not null;
create index sessions_by_sso on sessions (partner_id, sso_session) where sso_session is not null;

-- What is tried too often rests for a while: sign-ins by name, device or address, and forms that fail.
alter table login_failures rename to attempts;
alter table attempts rename column name_hash to key_hash;
alter table attempts rename column failures to count;
alter table attempts rename column first_failure_at to began_at;

-- A browser in which a member has signed in: strangers who try the member's name do not lock this one out.
create table known_devices (
  partner_id text not null references partners,
  device_hash bytea not null check (length(device_hash) = 32),
  member_id bigint not null,
  used_at timestamptz not null default now(),
  primary key (partner_id, device_hash, member_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
call build_wall('known_devices');
grant select, insert, update, delete on known_devices to dineback_app;

create table passkeys (
  id bigint generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  partner_id text not null,
  member_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  unique (partner_id, credential_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index passkeys_by_member on passkeys (member_id);
call build_wall('passkeys');
grant select, insert, update, delete on passkeys to dineback_app;

-- One open question to an authenticator for each session and purpose; taken out when it is answered.
create table passkey_challenges (
  partner_id text not null references partners,
  session_id_hash bytea not null,
  purpose text not null check (purpose in ('add', 'sign-in')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (partner_id, session_id_hash, purpose)
);
call build_wall('passkey_challenges');
grant select, insert, update, delete on passkey_challenges to dineback_app;

-- Proofs of the bot check that were shown already.
create table spent_proofs (
  partner_id text not null references partners,
  proof_hash bytea not null,
  expires_at timestamptz not null,
  primary key (partner_id, proof_hash)
);
call build_wall('spent_proofs');
grant select, insert, delete on spent_proofs to dineback_app;

-- Who asked to get back in. Looked up afterwards, so that the answer takes as long for a name that nobody has.
create table recovery_requests (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  user_name text not null check (length(user_name) <= 254),
  requested_at timestamptz not null default now()
);
call build_wall('recovery_requests');
-- Update, to lock a row while it is answered.
grant select, insert, update, delete on recovery_requests to dineback_app;

create table recoveries (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  member_id bigint not null,
  code_hash bytea not null unique check (length(code_hash) = 32),
  -- The right to set a password, given for the code.
  reset_hash bytea unique check (length(reset_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index recoveries_by_member on recoveries (member_id);
create index recoveries_by_expiry on recoveries (expires_at);
call build_wall('recoveries');
grant select, insert, update, delete on recoveries to dineback_app;

-- An operator sees the app as a member does. Kept: who looked, at whom, why and when.
create table emulations (
  id bigint generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  partner_id text not null,
  member_id bigint not null,
  operator_id bigint not null,
  operator_name text not null,
  may_change boolean not null,
  reason text not null check (length(reason) between 3 and 200),
  hand_over_hash bytea not null unique check (length(hand_over_hash) = 32),
  hand_over_until timestamptz not null,
  session_hash bytea unique check (length(session_hash) = 32),
  csrf_token text,
  begun_at timestamptz,
  ends_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index emulations_by_member on emulations (member_id, id desc);
call build_wall('emulations');
grant select, update on emulations to dineback_app;
grant select, insert on emulations to dineback_console;
grant update (ended_at) on emulations to dineback_console;
-- Whom support can find, and what it sees of them before it looks through their eyes.
grant select (id, partner_id, public_id, email, first_name, last_name, member_type, tier_level, active, joined_at)
  on members to dineback_console;

alter table console.operators drop constraint operators_role_check;
alter table console.operators add constraint operators_role_check check (role in ('editor', 'support', 'admin'));

-- What opens an account is not kept longer than it does: the words of such a mail go when it is sent, or over.
alter table mails add column secret_until timestamptz;
create index mails_secret on mails (partner_id, secret_until) where secret_until is not null;

-- What is not needed for an account is sent on the strength of a consent, which must still stand when it goes out.
alter table mails add column consent_id bigint references consents;
alter table mails add constraint offers_need_consent check (topic not like 'offers.%' or consent_id is not null);
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check
  check (status in ('waiting', 'sent', 'kept', 'failed', 'withheld'));

-- A member may have everything taken away that the books do not need.
alter table members add column deleted_at timestamptz;
grant delete on credentials, identities, mails, prospects, impressions to dineback_app;
