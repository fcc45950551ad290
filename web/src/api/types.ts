// Shorter names for what the server speaks of.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Project = Schemas['ProjectResponse'];
export type ProjectChange = Omit<Schemas['ChangeProjectRequest'], 'settings'> & { settings?: Record<string, unknown> };
export type Conversation = Schemas['ConversationResponse'];
export type Message = Schemas['MessageResponse'];
export type ReplyOutcome = Schemas['ReplyResponse'];
export type TokenUsage = Schemas['UsageResponse'];
export type Attachment = Schemas['AttachmentRequest'];
export type TurnRequest = Schemas['TurnRequest'];
export type Forecast = Schemas['ForecastResponse'];
export type ModelForecast = Schemas['ModelForecastResponse'];
export type Model = Schemas['ModelResponse'];
export type Receipt = Schemas['ReceiptResponse'];
export type ReceiptItem = Schemas['ItemResponse'];
export type Source = Schemas['SourceResponse'];
export type SentMessage = Schemas['SentMessageResponse'];
export type FileEntry = Schemas['FileResponse'];
export type FileContent = Schemas['FileContentResponse'];
export type Skipped = Schemas['SkippedResponse'];
export type Hit = Schemas['GlobalHitResponse'];
export type Provider = Schemas['ProviderResponse'];
export type Setting = Schemas['Setting'];
export type UsageSum = Schemas['UsageSumResponse'];
export type Persona = Schemas['PersonaResponse'];
export type PersonaMessage = Schemas['PersonaMessage'];
export type Preset = Schemas['PresetResponse'];
export type ConsultSession = Schemas['ConsultSessionResponse'];
export type ConsultFiles = Schemas['ConsultFiles'];
export type ConsultDescription = Schemas['ConsultDescriptionResponse'];
export type Fact = Schemas['FactResponse'];
export type Ref = Schemas['RefResponse'];
export type Wait = Schemas['WaitResponse'];
export type Hidden = Schemas['HiddenResponse'];
export type Change = Schemas['Change'];
